// SPDX-License-Identifier: MIT
// Trials side by side on rows of paper, all to one time scale.
#pragma once

#include <heed/data/units.h>

#include <cstddef>
#include <span>
#include <vector>

namespace heed::report {

struct RowRoom {
  double width = 0;  // points
  double gap = 0;    // between trials of a row
  std::size_t most_rows = 1;
};

// Where a trial lies in its row, points from the row's left.
struct Segment {
  std::size_t trial = 0;
  double left = 0;
  double width = 0;
};

struct TimeRows {
  double points_per_second = 1;
  Seconds longest{};  // time on the fullest row, gaps not counted
  std::vector<std::vector<Segment>> rows{};
};

// In order, in rows whose fullest is as empty as it can be. Trials of no length are left out; there must
// be one that has some.
[[nodiscard]] TimeRows lay_out_rows(std::span<const Seconds> durations, const RowRoom& room);

}  // namespace heed::report
