// SPDX-License-Identifier: MIT
#include <data/study.h>
#include <heed/data/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heed::data {

std::size_t ResultTable::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::string known;
  for (const std::string& one : columns) known += (known.empty() ? "" : ", ") + one;
  throw Error(ErrorKind::not_found,
              "the results have no column '" + std::string(name) + "'; they have " + (known.empty() ? "none" : known));
}

std::string text_of(const TableValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* number = std::get_if<double>(&value)) {
    std::array<char, 32> digits{};
    auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr;
    return {digits.data(), end};
  }
  return "n/a";
}

std::optional<double> number_in(const TableValue& value) noexcept {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

const ResultTable* StudyResult::find(std::string_view table) const noexcept {
  const auto found = std::ranges::find(tables, table, &NamedTable::name);
  return found != tables.end() ? &found->table : nullptr;
}

const ResultTable& StudyResult::judged() const noexcept {
  static const ResultTable none;
  const ResultTable* table = find(study.measure == StudyMeasure::independence ? "lags" : "tracking");
  return table != nullptr ? *table : none;
}

}  // namespace heed::data
