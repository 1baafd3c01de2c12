// SPDX-License-Identifier: MIT
// What came of one participant at one setting, and its form in a store.
#pragma once

#include <data/study.h>

#include <span>
#include <string>
#include <vector>

namespace heed::study {

struct Cell {
  std::vector<NamedTable> tables{};  // rows of this participant; none where it was left out
  std::vector<std::string> notes{};
  std::string left_out{};  // why this setting is nothing for the cohort; empty: it is
  // Null where it has no such table.
  [[nodiscard]] const ResultTable* find(std::string_view table) const noexcept;
};

// Its tables, and one of notes where there are any.
[[nodiscard]] std::vector<NamedTable> tables_of(const Cell& cell);
// Throws bad_data or not_found for tables that tables_of() did not make.
[[nodiscard]] Cell cell_of(std::vector<NamedTable> tables);

}  // namespace heed::study
