// SPDX-License-Identifier: MIT
// Cells, wherever they are kept, become the tables of a study: setting by setting, participants in order. One cell is
// in memory at a time.
#pragma once

#include <study/cell_grid.h>
#include <study/cells/cell.h>
#include <study/tracking/applicability.h>

#include <functional>
#include <optional>
#include <vector>

namespace heed::study {

using CellSource = std::function<std::optional<Cell>(CellPlace)>;  // nothing: missing
// More rows of a table; the first call for a table may have none.
using TableSink = std::function<void(const std::string& table, const ResultTable& rows)>;

struct Assembled {
  std::vector<std::string> notes{};  // none twice
  std::vector<LeftOut> left_out{};
  std::size_t missing = 0;  // cells
};

[[nodiscard]] Assembled assemble(const Study& study, const CellGrid& grid, const CellSource& source,
                                 const TableSink& sink);

// The same with the tables in memory, and whether they show anything.
[[nodiscard]] StudyResult assemble_result(const Study& study, const CellGrid& grid, const CellSource& source);

}  // namespace heed::study
