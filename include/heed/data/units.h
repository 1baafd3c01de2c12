// SPDX-License-Identifier: MIT
// Quantities with their unit in the type, so that a window length is never taken for a rate.
#pragma once

#include <compare>

namespace heed::data {

struct Seconds {
  double value = 0;
  friend constexpr auto operator<=>(Seconds, Seconds) = default;  // NOLINT(modernize-use-nullptr): compared with 0
};

constexpr Seconds operator+(Seconds a, Seconds b) { return {a.value + b.value}; }
constexpr Seconds operator-(Seconds a, Seconds b) { return {a.value - b.value}; }
constexpr Seconds operator*(double times, Seconds a) { return {times * a.value}; }
constexpr double operator/(Seconds a, Seconds b) { return a.value / b.value; }

struct Hertz {
  double value = 0;
  friend constexpr auto operator<=>(Hertz, Hertz) = default;  // NOLINT(modernize-use-nullptr): compared with 0
};

// How many samples, not rounded.
constexpr double operator*(Seconds duration, Hertz rate) { return duration.value * rate.value; }

}  // namespace heed::data

namespace heed {
using data::Hertz;
using data::Seconds;
}  // namespace heed
