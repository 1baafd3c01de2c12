// SPDX-License-Identifier: MIT
// A pattern made ready to be drawn: places checked, numbers short enough for an axis.
#pragma once

#include <heed/data/matrix.h>
#include <report/topography/head_map.h>
#include <report/topography_figure.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

class ShownPattern {
 public:
  // Throws as draw_topography does. Refers to the picture.
  explicit ShownPattern(const TopographyPicture& picture);

  [[nodiscard]] const TopographyPicture& picture() const { return picture_; }
  [[nodiscard]] Index channels() const { return picture_.pattern.rows(); }
  [[nodiscard]] Index lags() const { return picture_.pattern.cols(); }
  [[nodiscard]] double milliseconds(Index lag) const {
    return 1000 * picture_.lags[static_cast<std::size_t>(lag)].value;
  }

  // In unit(); NaN where there is none.
  [[nodiscard]] double value(Index channel, Index lag) const;
  [[nodiscard]] const std::string& unit() const { return unit_; }  // with its power of ten; may be empty
  [[nodiscard]] double largest() const { return largest_; }        // absolute value, in unit()

  // Of length one; nothing where it is not known.
  [[nodiscard]] const std::optional<ScalpPosition>& direction(Index channel) const {
    return directions_[static_cast<std::size_t>(channel)];
  }
  [[nodiscard]] Index placed() const;  // channels with a direction
  // Those with a place and a value at the lag.
  [[nodiscard]] std::vector<Electrode> electrodes(Index lag) const;
  // Root mean square around the mean over channels; NaN where fewer than two have a value.
  [[nodiscard]] double field_power(Index lag) const;

 private:
  const TopographyPicture& picture_;
  std::vector<std::optional<ScalpPosition>> directions_;
  double factor_ = 1;
  std::string unit_;
  double largest_ = 0;
};

}  // namespace heed::report
