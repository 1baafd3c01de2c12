// SPDX-License-Identifier: MIT
// Values of studies on paper: their axes, dots moved apart, and the words for them. What is NaN is not there.
#pragma once

#include <heed/report/drawing.h>
#include <report/axis.h>
#include <report/frame.h>
#include <report/shapes.h>
#include <report/study/figures.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::report {

// Everything that a panel shows of its measure, multiplied by its factor.
class ShownValues {
 public:
  explicit ShownValues(MeasureAxis measure) : measure_(std::move(measure)) {}

  void add(const PlottedValues& values, const std::optional<PublishedMark>& published);
  // In the units shown. Times (s) begin at zero, unless all are positive and either means and quartiles span a factor
  // of 20 or some participant lies beyond four times the largest of them: then the scale is logarithmic. Shares (%)
  // end at 100. Chance is shown where it does not take more room than the values.
  [[nodiscard]] Axis axis(const Range& along) const;

 private:
  void add_value(double value, bool summary);
  [[nodiscard]] bool wants_logarithm() const;
  [[nodiscard]] Range linear_range() const;

  MeasureAxis measure_;
  std::optional<Range> all_{};      // least and most
  std::optional<Range> summary_{};  // of means and quartiles
};

struct TitleRoom {
  double size = 8;  // of its letters
  double length = 0;
};
// "switch time (s), log scale" where it is one, "..., log" where there is little room.
[[nodiscard]] std::string scaled_title(const MeasureAxis& measure, const Axis& axis, const TitleRoom& room);

// Where the dashed line lies, if it lies on the axis.
[[nodiscard]] std::optional<double> chance_place(const MeasureAxis& measure, const Axis& axis);

// Ticks at round numbers whose labels do not meet. An axis whose paper runs from large to small goes up.
[[nodiscard]] std::vector<PlacedTick> round_ticks(const Axis& axis);
// Of values that were chosen: themselves, where they are short numbers and all have room, else round ones.
[[nodiscard]] std::vector<PlacedTick> chosen_ticks(const Axis& axis, std::span<const double> chosen);

// Without what is NaN.
[[nodiscard]] std::optional<double> known(const std::optional<double>& value);
[[nodiscard]] std::vector<ParticipantValue> known(const std::vector<ParticipantValue>& participants);
[[nodiscard]] std::optional<evaluate::Quartiles> known(const std::optional<evaluate::Quartiles>& quartiles);

// "accuracy (%)"
[[nodiscard]] std::string measure_title(const MeasureAxis& measure);
// "94.0 %"
[[nodiscard]] std::string value_text(const MeasureAxis& measure, double value);
// "mean accuracy 94.0 %, interquartile range 91.2 to 97.0 %, 8 participants"; there must be a mean.
[[nodiscard]] std::string mean_text(const MeasureAxis& measure, const PlottedValues& values);
// "interquartile range of accuracy 91.2 to 97.0 %"
[[nodiscard]] std::string quartile_text(const MeasureAxis& measure, const evaluate::Quartiles& quartiles);
// "accuracy 89.0 % (Table II)"
[[nodiscard]] std::string published_text(const MeasureAxis& measure, const PublishedMark& mark);

// "window length = 5 s" of an axis "window length (s)", "p = 0.001" of one without a unit.
[[nodiscard]] std::string across_text(const std::string& axis_title, double value);
// "5 s", "0.001"
[[nodiscard]] std::string across_value(const std::string& axis_title, double value);

inline constexpr double participant_opacity = 0.4;
inline constexpr double published_size = 9.5;

// An open star, through which one sees what it lies on.
[[nodiscard]] Shape published_star(Point at, double size, Colour colour);
[[nodiscard]] Shape participant_dot(Point at, double diameter, Colour colour);

struct SwarmRoom {
  double diameter = 2;  // of a dot
  double half = 5;      // dots move aside by at most this much
};

struct Swarm {
  std::vector<double> offsets{};
  bool clear = true;  // no dot lies on another
};

// How far each dot, at this place along its line, is moved across it: as little as keeps it clear of the others, on
// alternating sides; where there is no room left, to where it hides others the least. Depends on the places alone.
[[nodiscard]] Swarm swarm_of(std::span<const double> places, const SwarmRoom& room);

}  // namespace heed::report
