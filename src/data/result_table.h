// SPDX-License-Identifier: MIT
// Results as a tidy table: a row an observation, a column a variable. What studies give, files keep and reports draw.
#pragma once

#include <cstddef>
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

}  // namespace heed::data

namespace heed {
using data::ResultTable;
using data::TableValue;
}  // namespace heed
