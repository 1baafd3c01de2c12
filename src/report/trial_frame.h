// SPDX-License-Identifier: MIT
// One trial of the attention picture and its place on the paper.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/scored.h>
#include <report/columns.h>
#include <report/ink/shapes.h>

namespace heed::report {

struct TrialFrame {
  const TrackedTrial& trial;
  MatrixView evidence{};  // windows x speakers
  double left = 0;        // where window 0 begins
  double window_width = 1;
  Index most_columns = 1;  // finer than that and windows are put together

  [[nodiscard]] Index windows() const { return trial.posteriors.values.rows(); }
  [[nodiscard]] Index speakers() const { return trial.posteriors.values.cols(); }
  [[nodiscard]] Columns columns() const { return {windows(), most_columns}; }
  [[nodiscard]] double x(Index window) const { return left + (static_cast<double>(window) * window_width); }
  [[nodiscard]] double right() const { return x(windows()); }
  // On the recording's clock.
  [[nodiscard]] Seconds time(Index window) const {
    return trial.onset + static_cast<double>(window) * trial.posteriors.window;
  }
  // The trial's part of a band that runs across the row.
  [[nodiscard]] Rectangle within(const Rectangle& band) const { return {left, band.top, right() - left, band.height}; }
};

}  // namespace heed::report
