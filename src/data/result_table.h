// SPDX-License-Identifier: MIT
// Results as a tidy table, one row per observation and one column per variable: what studies give, files keep and
// reports draw.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::data {

// Nothing (`n/a` in files), a number, or a word.
using TableValue = std::variant<std::monostate, double, std::string>;

struct ResultTable {
  std::vector<std::string> columns{};
  std::vector<std::vector<TableValue>> rows{};  // as long as columns

  // Throws Error (not_found) naming the columns there are.
  [[nodiscard]] std::size_t column(std::string_view name) const;
};

// "causal", "0.001" (the shortest text that reads back as the number), "n/a".
[[nodiscard]] std::string text_of(const TableValue& value);

// The number in a value; nothing for a word, for nothing, and for a number that is not finite.
[[nodiscard]] std::optional<double> number_in(const TableValue& value) noexcept;

}  // namespace heed::data

namespace heed {
using data::ResultTable;
using data::TableValue;
}  // namespace heed
