// SPDX-License-Identifier: MIT
#include <heed/data/text.h>

#include <array>
#include <charconv>

namespace heed::data {

std::string shown(double value) {
  std::array<char, 32> digits{};
  constexpr int significant = 6;
  const auto result =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, significant);
  return {digits.data(), result.ptr};
}

}  // namespace heed::data
