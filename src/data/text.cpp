// SPDX-License-Identifier: MIT
#include <data/text.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>
#include <utility>
#include <vector>

namespace heed::data {
namespace {

// Letters to insert, leave out, replace or let change places.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;  // two rows up
  std::vector<std::size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row{i};
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row.push_back(std::min({above[j] + 1, row[j - 1] + 1, replaced}));
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(above, std::move(row));
  }
  return above.back();
}

}  // namespace

std::string_view name_of(ScoreType type) noexcept {
  switch (type) {
    case ScoreType::correlation:
      return "correlation";
    case ScoreType::log_odds:
      return "log-odds";
    case ScoreType::step_cosine:
      break;
  }
  return "step-cosine";
}

std::optional<ScoreType> score_type_named(std::string_view word) noexcept {
  for (const ScoreType type : {ScoreType::correlation, ScoreType::log_odds, ScoreType::step_cosine}) {
    if (word == name_of(type)) return type;
  }
  return std::nullopt;
}

std::string shown_hop(Seconds window, Seconds hop) {
  return hop == window ? std::string() : " every " + shown(hop.value) + " s";
}

std::string shown_windows(Seconds window, Seconds hop) {
  return "windows of " + shown(window.value) + " s" + shown_hop(window, hop);
}

std::string shown(double value) {
  std::array<char, 32> digits{};
  constexpr int significant = 6;
  const auto result =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, significant);
  return {digits.data(), result.ptr};
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const auto far = [word](std::string_view one) { return distance(word, one); };
  const auto nearest = std::ranges::min_element(known, {}, far);
  if (nearest == known.end()) return "";
  // A third of the letters may be wrong; or the beginning alone was typed.
  const bool near = far(*nearest) <= std::max<std::size_t>(1, word.size() / 3);
  const auto begun = std::ranges::find_if(known, [word](std::string_view one) { return one.starts_with(word); });
  if (!near && (begun == known.end() || word.size() < 3)) return "";
  return ", did you mean '" + std::string(near ? *nearest : *begun) + "'?";
}

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
