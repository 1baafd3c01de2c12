// SPDX-License-Identifier: MIT
// Values on paper: scales, where the ticks of an axis lie, and what they say.
#pragma once

#include <heed/data/units.h>

#include <string>
#include <vector>

namespace heed::report {

struct Tick {
  double value = 0;
  std::string label{};
};

struct Range {
  double low = 0;
  double high = 1;
};

// Steps of 1, 2 or 5 times a power of ten, about `wanted` of them, inside the range.
[[nodiscard]] std::vector<Tick> linear_ticks(const Range& range, int wanted);

// 1, 2, 5, 10 ... inside a positive range; between powers of ten only where they are few.
[[nodiscard]] std::vector<Tick> log_ticks(const Range& range);

// Seconds, minutes or hours, whichever gives short numbers for such a span of time.
struct TimeAxis {
  std::string unit = "s";
  Seconds unit_length{1};
  Seconds step{1};  // between ticks
};

// `closest` is the shortest time that may lie between two ticks without their labels meeting.
[[nodiscard]] TimeAxis time_axis(Seconds span, Seconds closest);
// Values in seconds; both ends belong to the range.
[[nodiscard]] std::vector<Tick> time_ticks(const TimeAxis& axis, const Range& seconds);

// "3 s", "2.5 min" from two minutes on, "1.2 h" from three hours on
[[nodiscard]] std::string duration_label(Seconds duration);

enum class Scale {
  linear,
  logarithmic,
  error,  // logarithmic in 100 - value: from 90 to 99 as far as from 0 to 90
};

// From values to places on paper and to ticks.
class Axis {
 public:
  Axis() = default;
  Axis(Range values, Range place, Scale scale = Scale::linear) : values_(values), paper_(place), scale_(scale) {}

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
