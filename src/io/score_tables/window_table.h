// SPDX-License-Identifier: MIT
// What score and posterior files share: one row per window, reserved columns, one column per speaker. The table as
// written, its rows put in time, and the text of a new one.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <heed/data/units.h>
#include <io/tsv.h>

#include <cstddef>
#include <optional>
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
[[nodiscard]] WindowTable read_window_table(TsvReader table, std::span<const std::string> states = {});

// "left, right", for messages.
[[nodiscard]] std::string listed(std::span<const std::string> names);

// The reserved column whose name this is, letters' case aside; empty if none.
[[nodiscard]] std::string_view reserved_like(std::string_view name);

// When each row of a table is: the window length, the hop from one window to the next, and the place of every row in
// its trial, gaps of whole hops included. Irregular onsets are errors.
struct WindowGrid {
  Seconds window;
  Seconds hop = window;
  std::vector<Index> places;    // of each row of the table: hops since its trial began
  std::vector<Index> windows;   // of each trial, missing ones included
  std::vector<Seconds> onsets;  // of each trial; 0 where the file has none
};

// What a sidecar says of the windows.
struct WindowLengths {
  std::optional<Seconds> window{};
  std::optional<Seconds> hop{};
};

// Window length: the column `duration`, else the sidecar's, else the commonest onset step, else 1 s
// with a warning. Hop: the sidecar's, else the commonest onset step where it is shorter than the window (with a
// warning), else the window's length. Throws Error(bad_data) with the row, or for a hop longer than the window.
[[nodiscard]] WindowGrid lay_windows(const WindowTable& table, const WindowLengths& sidecar,
                                     std::vector<std::string>& warnings);

// One trial's rows; views of what the caller owns.
struct TrialColumns {
  std::string_view name;
  Seconds onset;
  Seconds window;
  Seconds hop;
  const Matrix* values = nullptr;                     // windows x speakers
  std::span<const Speaker> attended;                  // one label per window
  std::optional<std::span<const Speaker>> decisions;  // in posterior files
};

// A table that is written row by row, as windows come.
struct TableShape {
  std::span<const std::string> speakers;
  int digits = 6;
  std::optional<Seconds> duration{};  // of windows that overlap: then the onsets do not tell how long they are
  bool named = false;                 // trials have names
  bool decided = true;                // a posterior table
  bool labelled = false;              // attention is known in some windows
};
struct WindowCells {
  Seconds onset;
  std::string_view trial;
  std::span<const double> values;  // one per speaker
  Speaker decision = unknown_speaker;
  Speaker attended = unknown_speaker;
};
// Throws invalid_argument: digits out of 1..17, names that cannot be columns.
void append_header(std::string& text, const TableShape& shape);
// Allocates nothing where `text` has room.
void append_window(std::string& text, const TableShape& shape, const WindowCells& cells);

// The text of a score or posterior table, checked to be one the readers take back. Throws invalid_argument: digits out
// of 1..17, names that cannot be columns, shapes or window lengths that do not fit, labels that are no speakers,
// several trials without names of their own.
[[nodiscard]] std::string table_text(std::span<const std::string> speakers, std::span<const TrialColumns> trials,
                                     int digits);

}  // namespace heed::io
