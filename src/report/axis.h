// SPDX-License-Identifier: MIT
// Where the ticks of an axis lie, and what they say.
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

// From values to places on paper, evenly.
struct LinearScale {
  Range values{};
  Range paper{};

  [[nodiscard]] constexpr double place(double value) const {
    return paper.low + ((value - values.low) / (values.high - values.low) * (paper.high - paper.low));
  }
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
// Values in seconds, on both ends included.
[[nodiscard]] std::vector<Tick> time_ticks(const TimeAxis& axis, const Range& seconds);

// "3 s", "2.5 min" from two minutes on, "1.2 h" from three hours on
[[nodiscard]] std::string duration_label(Seconds duration);

}  // namespace heed::report
