// SPDX-License-Identifier: MIT
// Time on paper: trials side by side in rows, all to one scale, and windows finer than the drawing put together in
// columns: a mean where areas must stay true, the lowest and highest where a line must not lose its extremes.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/scored.h>
#include <heed/data/units.h>
#include <report/shapes.h>

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

// Windows 0..windows-1 in at most `most` columns of nearly equal width; one window per column where there are few.
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

// One trial and its place on the paper.
struct TrialFrame {
  const TrackedTrial& trial;
  MatrixView scores{};  // windows x speakers
  double left = 0;      // where window 0 begins
  double window_width = 1;
  Index most_columns = 1;  // finer than that and windows are put together

  [[nodiscard]] Index windows() const { return trial.posteriors.values.rows(); }
  [[nodiscard]] Index speakers() const { return trial.posteriors.values.cols(); }
  [[nodiscard]] Columns columns() const { return {windows(), most_columns}; }
  [[nodiscard]] double x(Index window) const { return left + (static_cast<double>(window) * window_width); }
  [[nodiscard]] double right() const { return x(windows()); }
  // On the recording's clock.
  [[nodiscard]] Seconds time(Index window) const {
    return trial.onset + static_cast<double>(window) * trial.posteriors.hop;
  }
  // The trial's part of a band that runs across the row.
  [[nodiscard]] Rectangle within(const Rectangle& band) const { return {left, band.top, right() - left, band.height}; }
};

}  // namespace heed::report
