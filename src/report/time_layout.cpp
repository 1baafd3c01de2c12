// SPDX-License-Identifier: MIT
#include <report/time_layout.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

// The column's extremes, none to two of them, appended in order of time.
void append_extremes(std::span<const double> values, Index first, Index end, std::vector<LinePoint>& line) {
  LinePoint low{-1, std::numeric_limits<double>::infinity()};
  LinePoint high{-1, -std::numeric_limits<double>::infinity()};
  for (Index t = first; t < end; ++t) {
    const double value = values[static_cast<std::size_t>(t)];
    if (value < low.value) low = {t, value};
    if (value > high.value) high = {t, value};
  }
  if (low.window < 0 || high.window < 0) return;
  line.push_back(low.window <= high.window ? low : high);
  if (low.window != high.window) line.push_back(low.window <= high.window ? high : low);
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

Matrix column_means(MatrixView values, const Columns& columns) {
  Matrix means = Matrix::Zero(columns.count(), values.columns);
  for (Index c = 0; c < columns.count(); ++c) {
    for (Index t = columns.first(c); t < columns.first(c + 1); ++t) {
      for (Index j = 0; j < values.columns; ++j) means(c, j) += values(t, j);
    }
    means.row(c) /= static_cast<double>(columns.first(c + 1) - columns.first(c));
  }
  return means;
}

std::vector<std::vector<LinePoint>> extreme_lines(std::span<const double> values, const Columns& columns) {
  std::vector<std::vector<LinePoint>> lines;
  bool broken = true;
  for (Index c = 0; c < columns.count(); ++c) {
    std::vector<LinePoint> points;
    append_extremes(values, columns.first(c), columns.first(c + 1), points);
    if (points.empty()) {
      broken = true;
      continue;
    }
    if (broken) lines.emplace_back();
    broken = false;
    std::ranges::copy(points, std::back_inserter(lines.back()));
  }
  return lines;
}

std::vector<double> smoothed(std::span<const double> values, Index width) {
  // Running sums of values and of how many there are: one pass whatever the width.
  const auto count = values.size();
  std::vector<double> sums(count + 1, 0);
  std::vector<double> present(count + 1, 0);
  for (std::size_t t = 0; t < count; ++t) {
    const bool there = std::isfinite(values[t]);
    sums[t + 1] = sums[t] + (there ? values[t] : 0);
    present[t + 1] = present[t] + (there ? 1 : 0);
  }
  const auto before = static_cast<std::size_t>((width - 1) / 2);
  const auto after = static_cast<std::size_t>(width / 2);
  std::vector<double> result(count, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t t = 0; t < count; ++t) {
    if (!std::isfinite(values[t])) continue;
    const std::size_t first = t < before ? 0 : t - before;
    const std::size_t end = std::min(count, t + after + 1);
    result[t] = (sums[end] - sums[first]) / (present[end] - present[first]);
  }
  return result;
}

}  // namespace heed::report
