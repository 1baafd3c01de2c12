// SPDX-License-Identifier: MIT
// When each row of a table is: the window length, and the place of every row in its trial, gaps of
// whole windows included. Overlapping or irregular onsets are errors.
#pragma once

#include <heed/data/units.h>
#include <io/score_tables/window_table.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::io {

struct WindowGrid {
  Seconds window;
  std::vector<Index> places;    // of each row of the table: windows since its trial began
  std::vector<Index> windows;   // of each trial, missing ones included
  std::vector<Seconds> onsets;  // of each trial; 0 where the file has none
};

// Window length: the column `duration`, else the sidecar's, else the commonest onset step, else 1 s
// with a warning. Throws Error(bad_data) with the row.
[[nodiscard]] WindowGrid lay_windows(const WindowTable& table, std::optional<Seconds> sidecar_window,
                                     std::vector<std::string>& warnings);

}  // namespace heed::io
