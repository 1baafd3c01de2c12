// SPDX-License-Identifier: MIT
// Tidy tables as TSV: one header row, `n/a` for nothing, numbers with as many digits as read back exactly.
#pragma once

#include <data/result_table.h>

#include <string>
#include <string_view>

namespace heed::io {

// Throws invalid_argument for a word that a table cannot hold: with a tab or line end in it, or empty.
[[nodiscard]] std::string table_text(const ResultTable& table);

// Cells written as heed writes numbers are numbers, others are words (01 is one): table_text() of what was read is
// what was read. Throws bad_data with row and column.
[[nodiscard]] ResultTable parse_table(std::string_view text);

}  // namespace heed::io
