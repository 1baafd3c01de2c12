// SPDX-License-Identifier: MIT
// Results as tables: tidy ones (one header row, `n/a` for nothing, numbers with as many digits as read back exactly),
// and forward patterns, one row per channel, one column per lag (named by its seconds), with a JSON that says so.
#pragma once

#include <data/result_table.h>
#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace heed::io {

// Throws invalid_argument for a word that a table cannot hold: with a tab or line end in it, or empty.
[[nodiscard]] std::string table_text(const ResultTable& table);

// Cells written as heed writes numbers are numbers, others are words (01 is one): table_text() of what was read is
// what was read. Throws bad_data with row and column.
[[nodiscard]] ResultTable parse_table(std::string_view text);

struct PatternTable {
  std::span<const std::string> channels{};
  std::span<const Seconds> lags{};
  const Matrix& values;  // channels x lags
};

// Table and sidecar appear together, or neither. Throws cannot_create, io; invalid_argument where the sizes differ.
void write_pattern(const std::filesystem::path& path, const PatternTable& pattern);

}  // namespace heed::io
