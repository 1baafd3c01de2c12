// SPDX-License-Identifier: MIT
// From values to places on paper, evenly or not.
#pragma once

#include <report/axis.h>

#include <vector>

namespace heed::report {

enum class Scale {
  linear,
  logarithmic,
  error,  // logarithmic in 100 - value: from 90 to 99 as far as from 0 to 90
};

class ScaledAxis {
 public:
  ScaledAxis() = default;
  ScaledAxis(Range values, Range paper, Scale scale) : values_(values), paper_(paper), scale_(scale) {}

  [[nodiscard]] double place(double value) const;
  // About so many where the scale is linear.
  [[nodiscard]] std::vector<Tick> ticks(int wanted) const;
  [[nodiscard]] const Range& values() const { return values_; }
  [[nodiscard]] const Range& paper() const { return paper_; }
  [[nodiscard]] Scale scale() const { return scale_; }

 private:
  [[nodiscard]] double stretched(double value) const;

  Range values_{};
  Range paper_{};
  Scale scale_ = Scale::linear;
};

}  // namespace heed::report
