// SPDX-License-Identifier: MIT
// Whether bytes are UTF-8 text: overlong forms, surrogates and code points beyond U+10FFFF are not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heed::io {

// Bytes of the character at the start of `text`, which is not empty; 0 if it is none.
inline std::size_t character_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80U) return 1;
  const std::size_t length = lead >= 0xf0U ? 4U : lead >= 0xe0U ? 3U : 2U;
  if (lead < 0xc2U || lead > 0xf4U || text.size() < length) return 0;
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> lowest{0, 0, 0x80U, 0x800U, 0x10000U};
  const bool surrogate = code >= 0xd800U && code <= 0xdfffU;
  return code < lowest[length] || code > 0x10ffffU || surrogate ? 0 : length;
}

inline bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace heed::io
