// SPDX-License-Identifier: MIT
// What score and posterior files share: one row a window, reserved columns, one column a speaker.
// This is the table as written; window_grid.h puts its rows in time.
#pragma once

#include <heed/data/series.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// Rows [first, first + count) of the table.
struct TrialRows {
  std::string name;  // empty: no `trial` column
  std::size_t first = 0;
  std::size_t count = 0;
};

struct WindowTable {
  std::vector<std::string> speakers;
  std::vector<std::string> features;  // the columns of a feature file; empty: the columns are the speakers
  std::vector<double> values;         // rows x columns; NaN where n/a, -inf as written
  std::vector<double> onsets;         // s; empty: no such column
  std::vector<double> durations;      // s; NaN where n/a; empty: no such column
  std::vector<Speaker> attended;      // unknown_speaker where n/a; empty: no such column
  std::vector<Speaker> decisions;     // likewise
  std::vector<TrialRows> trials;      // at least one, none empty
  std::size_t rows = 0;

  [[nodiscard]] std::size_t columns() const { return features.empty() ? speakers.size() : features.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(values).subspan(i * columns(), columns());
  }
};

// The line of the file that row i of the table was on: the header is row 1, and blank lines are errors.
[[nodiscard]] constexpr std::size_t row_in_file(std::size_t i) { return i + 2; }

// states: names of the speakers of a feature file, whose own columns are then features; empty: none are given.
// Throws Error(bad_data) with row and column: no rows, fewer than two speakers, text in a number, an
// unknown name, trials that come back after another one. Throws invalid_argument for states that are no names.
[[nodiscard]] WindowTable read_window_table(std::string_view text, std::span<const std::string> states = {});

// "left, right", for messages.
[[nodiscard]] std::string listed(std::span<const std::string> names);

// The reserved column whose name this is, letters' case aside; empty if none.
[[nodiscard]] std::string_view reserved_like(std::string_view name);

}  // namespace heed::io
