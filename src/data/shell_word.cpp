// SPDX-License-Identifier: MIT
#include <data/shell_word.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heed::data {

std::string shell_word(const std::string& text) {
  constexpr std::string_view also = "/._-+:,=@";
  const bool plain = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || also.find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? R"('\'')" : std::string(1, c);
  return word + "'";
}

}  // namespace heed::data
