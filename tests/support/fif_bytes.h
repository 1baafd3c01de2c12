// SPDX-License-Identifier: MIT
// FIF files as tests want them, written tag by tag, big endian.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace heed::test {

template <typename Word>
std::string big_endian(Word value) {
  std::string bytes;
  for (std::size_t k = sizeof(Word); k-- > 0;) bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * k));
  return bytes;
}

inline std::string fif_int(std::int32_t value) { return big_endian(std::bit_cast<std::uint32_t>(value)); }
inline std::string fif_float(float value) { return big_endian(std::bit_cast<std::uint32_t>(value)); }
inline std::string fif_double(double value) { return big_endian(std::bit_cast<std::uint64_t>(value)); }

inline std::string fif_tag(std::int32_t kind, std::int32_t type, const std::string& content, std::int32_t next = 0) {
  return fif_int(kind) + fif_int(type) + fif_int(static_cast<std::int32_t>(content.size())) + fif_int(next) + content;
}

inline std::string fif_block(std::int32_t block, const std::string& content) {
  return fif_tag(104, 3, fif_int(block)) + content + fif_tag(105, 3, fif_int(block));
}

inline std::string fif_channel(const std::string& name, std::int32_t kind, float cal, float range = 1) {
  std::string record = fif_int(1) + fif_int(1) + fif_int(kind) + fif_float(range) + fif_float(cal) + fif_int(1) +
                       std::string(48, '\0') + fif_int(107) + fif_int(0) + name;
  record.resize(96, '\0');
  return fif_tag(203, 30, record);
}

inline std::string fif_start() { return fif_tag(100, 31, std::string(20, '\0')); }

struct FifCase {
  std::string samples{};  // tags within the block of raw data
  std::string annotations{};
  float rate = 100;
  std::int32_t channels = 3;  // stated
};

// Cz in volts, EOG, and a trigger channel.
inline std::string fif_file(const FifCase& options) {
  const std::string information = fif_tag(200, 3, fif_int(options.channels)) +
                                  fif_tag(201, 4, fif_float(options.rate)) +
                                  fif_tag(204, 3, fif_int(86400) + fif_int(0)) + fif_channel("Cz", 2, 0.5F, 2e-6F) +
                                  fif_channel("EOG", 202, 1) + fif_channel("STI 014", 3, 1);
  return fif_start() +
         fif_block(100, fif_block(101, information) + options.annotations + fif_block(102, options.samples)) +
         fif_tag(108, 0, "", -1);
}

}  // namespace heed::test
