// SPDX-License-Identifier: MIT
// Windows finer than the drawing, put together in columns: a mean where areas must stay true, the
// lowest and highest where a line must not lose its extremes.
#pragma once

#include <heed/data/matrix.h>

#include <span>
#include <vector>

namespace heed::report {

// Windows 0..windows-1 in at most `most` columns of nearly equal width; a window each where there are few.
class Columns {
 public:
  Columns(Index windows, Index most) : windows_(windows), count_(windows < most ? windows : most) {}

  [[nodiscard]] Index count() const noexcept { return count_; }
  // The first window of a column; of column count() the number of windows.
  [[nodiscard]] Index first(Index column) const noexcept { return count_ == 0 ? 0 : column * windows_ / count_; }

 private:
  Index windows_;
  Index count_;
};

// columns x speakers: the mean over the windows of each column. Areas keep their size to rounding.
[[nodiscard]] Matrix column_means(MatrixView values, const Columns& columns);

// A line through (window, value), broken where a column has no value at all (NaN).
struct LinePoint {
  Index window = 0;
  double value = 0;
};
// Of each column the lowest and the highest value, in the order in which they come.
[[nodiscard]] std::vector<std::vector<LinePoint>> extreme_lines(std::span<const double> values, const Columns& columns);

// Mean over `width` windows around each, of those that are there; NaN where the window itself is not.
[[nodiscard]] std::vector<double> smoothed(std::span<const double> values, Index width);

}  // namespace heed::report
