// SPDX-License-Identifier: MIT
// Text from a file or from standard input ("-"): read whole and checked once, so that the readers
// behind it see clean UTF-8. A byte order mark is dropped; CRLF stays, the line reader drops it.
#pragma once

#include <heed/data/error.h>
#include <io/open_file.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace heed::io {

// More than any text that is held as a whole, less than a machine's memory. Tables of windows come in pieces.
inline constexpr std::size_t largest_text_file = std::size_t{1} << 30U;

// "-" stands for standard input or output.
[[nodiscard]] bool is_standard_stream(const std::filesystem::path& path);

// As messages call it: the path, or "standard input".
[[nodiscard]] std::string input_name(const std::filesystem::path& path);

// Errors: not_found; io (a directory, unreadable); bad_data (NUL bytes, not UTF-8); unsupported (too large).
// The message names the file.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t largest_bytes = largest_text_file);

// What it is made of, and reading in pieces, too (text_pieces.h). The first names the file in what it throws.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
[[nodiscard]] FileDescriptor open_text(const std::filesystem::path& path);
[[nodiscard]] std::size_t read_some(int descriptor, std::span<char> bytes);  // 0: the end
// `rows`: those before the text.
void check_text(std::string_view text, std::size_t rows = 0);

// parse(text) of the file's text; what it throws names the file.
template <typename Parse>
auto parse_file(const std::filesystem::path& path, Parse&& parse) {
  const std::string text = read_text_file(path);
  try {
    return parse(text);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
}

// UTF-8: overlong forms, surrogates and code points beyond U+10FFFF are not.
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
