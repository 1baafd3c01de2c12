// SPDX-License-Identifier: MIT
#include <report/time_rows.h>

#include <algorithm>

namespace heed::report {
namespace {

using Row = std::vector<std::size_t>;  // of trials

// As many trials a row as fit.
std::vector<Row> filled_rows(std::span<const Seconds> durations, Seconds capacity) {
  std::vector<Row> rows;
  Seconds used{0};
  for (std::size_t trial = 0; trial < durations.size(); ++trial) {
    if (!(durations[trial].value > 0)) continue;
    if (rows.empty() || used + durations[trial] > capacity) {
      rows.emplace_back();
      used = Seconds{0};
    }
    rows.back().push_back(trial);
    used = used + durations[trial];
  }
  return rows;
}

// The smallest capacity of a row with which so many rows suffice, by bisection; to a thousandth of a
// trial it does not matter.
Seconds smallest_capacity(std::span<const Seconds> durations, std::size_t most_rows) {
  Seconds enough{0};
  Seconds longest{0};
  for (const Seconds duration : durations) {
    enough = enough + duration;
    longest = std::max(longest, duration);
  }
  Seconds too_small{0};
  while ((enough - too_small).value > 1e-3 * longest.value) {
    const Seconds middle = 0.5 * (too_small + enough);
    const bool suffices = middle >= longest && filled_rows(durations, middle).size() <= most_rows;
    (suffices ? enough : too_small) = middle;
  }
  return enough;
}

}  // namespace

TimeRows lay_out_rows(std::span<const Seconds> durations, const RowRoom& room) {
  const auto rows = filled_rows(durations, smallest_capacity(durations, room.most_rows));
  TimeRows result;
  result.points_per_second = 0;
  for (const Row& row : rows) {
    Seconds time{0};
    for (const std::size_t trial : row) time = time + durations[trial];
    result.longest = std::max(result.longest, time);
    const double ink_width = std::max(0.5 * room.width, room.width - (static_cast<double>(row.size() - 1) * room.gap));
    const double scale = ink_width / time.value;
    result.points_per_second = result.points_per_second == 0 ? scale : std::min(result.points_per_second, scale);
  }
  for (const Row& row : rows) {
    // Hundreds of trials share half of the row for their gaps.
    const auto gaps = static_cast<double>(row.size() - 1);
    const double gap = gaps > 0 ? std::min(room.gap, 0.5 * room.width / gaps) : 0;
    result.rows.emplace_back();
    double left = 0;
    for (const std::size_t trial : row) {
      const double width = durations[trial].value * result.points_per_second;
      result.rows.back().push_back({trial, left, width});
      left += width + gap;
    }
  }
  return result;
}

}  // namespace heed::report
