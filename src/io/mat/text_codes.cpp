// SPDX-License-Identifier: MIT
#include <io/mat/text_codes.h>

#include <cstdint>
#include <cstring>

namespace heed::io {
namespace {

void append(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  const auto follow = [&](unsigned shift) { byte(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80U) {
    byte(code);
  } else if (code < 0x800U) {
    byte(0xc0U | (code >> 6U));
    follow(0);
  } else if (code < 0x10000U) {
    byte(0xe0U | (code >> 12U));
    follow(6);
    follow(0);
  } else {
    byte(0xf0U | (code >> 18U));
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace

std::string utf8_from_utf16(std::string_view bytes) {
  const std::size_t units = bytes.size() / 2;
  const auto unit = [&](std::size_t k) -> std::uint32_t {
    std::uint16_t value = 0;
    std::memcpy(&value, bytes.data() + 2 * k, sizeof value);
    return value;
  };
  const auto is_first = [](std::uint32_t value) { return value >= 0xd800U && value < 0xdc00U; };
  const auto is_second = [](std::uint32_t value) { return value >= 0xdc00U && value < 0xe000U; };
  constexpr std::uint32_t replacement = 0xfffdU;
  std::string text;
  for (std::size_t k = 0; k < units; ++k) {
    const std::uint32_t code = unit(k);
    if (is_first(code) && k + 1 < units && is_second(unit(k + 1))) {
      append(text, 0x10000U + ((code - 0xd800U) << 10U) + (unit(k + 1) - 0xdc00U));
      ++k;
    } else {
      append(text, is_first(code) || is_second(code) ? replacement : code);
    }
  }
  return text;
}

}  // namespace heed::io
