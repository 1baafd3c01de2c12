// SPDX-License-Identifier: MIT
// The axes of figures of studies: how far they reach, on which scale, and where their ticks lie.
#pragma once

#include <report/plots/plot_frame.h>
#include <report/plots/scaled_axis.h>
#include <report/study/plotted_values.h>

#include <span>
#include <string>
#include <vector>

namespace heed::report {

// Everything that a panel shows of its measure, multiplied by its factor.
class ShownValues {
 public:
  explicit ShownValues(const MeasureAxis& measure) : measure_(measure) {}

  void add(const PlottedValues& values, const std::optional<PublishedMark>& published);
  // In the units shown. Times (s) begin at zero, unless all are positive and either means and quartiles span a factor
  // of 20 or some participant lies beyond four times the largest of them: then the scale is logarithmic. Shares (%)
  // end at 100. Chance is shown where it does not take more room than the values.
  [[nodiscard]] ScaledAxis axis(const Range& along) const;

 private:
  void add_value(double value, bool summary);
  [[nodiscard]] bool wants_logarithm() const;
  [[nodiscard]] Range linear_range() const;

  MeasureAxis measure_;
  std::optional<Range> all_{};      // least and most
  std::optional<Range> summary_{};  // of means and quartiles
};

// "switch time (s), log scale" where it is one.
[[nodiscard]] std::string scaled_title(const MeasureAxis& measure, const ScaledAxis& axis);

// Where the dashed line lies, if it lies on the axis.
[[nodiscard]] std::optional<double> chance_place(const MeasureAxis& measure, const ScaledAxis& axis);

// Ticks at round numbers whose labels do not meet. An axis whose paper runs from large to small goes up.
[[nodiscard]] std::vector<PlacedTick> round_ticks(const ScaledAxis& axis);
// Of values that were chosen: themselves, where they are short numbers and all have room, else round ones.
[[nodiscard]] std::vector<PlacedTick> chosen_ticks(const ScaledAxis& axis, std::span<const double> chosen);

}  // namespace heed::report
