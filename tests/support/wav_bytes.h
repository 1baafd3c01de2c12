// SPDX-License-Identifier: MIT
// WAV files made byte by byte, so that nothing that reads them had a hand in them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace heed::test {

inline void append_little_endian(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xffU);
}

struct WavShape {
  int channels = 1;
  std::uint32_t rate = 16000;
  std::uint32_t claimed_bytes = 0;  // of samples, in the header; 0: as many as there are
};

// 16 bit PCM; samples of one frame lie together.
inline std::string wav_bytes(std::span<const std::int16_t> samples, const WavShape& shape = {}) {
  const auto there = static_cast<std::uint32_t>(2 * samples.size());
  const std::uint32_t size = shape.claimed_bytes == 0 ? there : shape.claimed_bytes;
  const auto channels = static_cast<std::uint32_t>(shape.channels);
  std::string bytes = "RIFF";
  append_little_endian(bytes, 36 + size, 4);
  bytes += "WAVEfmt ";
  append_little_endian(bytes, 16, 4);
  append_little_endian(bytes, 1, 2);  // PCM
  append_little_endian(bytes, channels, 2);
  append_little_endian(bytes, shape.rate, 4);
  append_little_endian(bytes, shape.rate * channels * 2, 4);
  append_little_endian(bytes, channels * 2, 2);
  append_little_endian(bytes, 16, 2);
  bytes += "data";
  append_little_endian(bytes, size, 4);
  for (const std::int16_t sample : samples) append_little_endian(bytes, static_cast<std::uint16_t>(sample), 2);
  return bytes;
}

}  // namespace heed::test
