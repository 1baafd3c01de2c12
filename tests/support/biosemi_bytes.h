// SPDX-License-Identifier: MIT
// What ActiView's TCP server sends, made without heed's own reader: rows of noise in 24 bit words, little endian, and
// the Status word of an ActiveTwo MK2.
#pragma once

#include <heed/data/random.h>

#include <cstdint>
#include <vector>

namespace heed::test {

class BiosemiBytes {
 public:
  BiosemiBytes(std::int64_t channels, bool status) : channels_(channels), status_(status) {}

  bool in_range = true;
  bool battery_low = false;
  std::uint32_t trigger = 0;

  [[nodiscard]] std::vector<std::uint8_t> rows(int count) {
    std::vector<std::uint8_t> bytes;
    for (int row = 0; row < count; ++row) {
      for (std::int64_t k = 0; k < channels_; ++k) {
        // An offset of the electrode, as they have, and noise.
        const int value = static_cast<int>(random_.uniform() * 20000) - 10000 + static_cast<int>(k * 100003 % 1000000);
        add(static_cast<std::uint32_t>(value), bytes);
        sent_.push_back(static_cast<float>(value / 32.0));
      }
      const std::uint32_t high = 0x80U | 0x08U | (in_range ? 0x10U : 0U) | (battery_low ? 0x40U : 0U);
      if (status_) add((high << 16U) | trigger, bytes);
    }
    return bytes;
  }

  [[nodiscard]] const std::vector<float>& sent() const { return sent_; }  // uV

 private:
  static void add(std::uint32_t word, std::vector<std::uint8_t>& bytes) {
    for (int shift = 0; shift < 24; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  }

  std::int64_t channels_;
  bool status_;
  RandomStream random_{7};
  std::vector<float> sent_;
};

}  // namespace heed::test
