// SPDX-License-Identifier: MIT
#include <report/columns.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::report {
namespace {

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
