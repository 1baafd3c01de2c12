// SPDX-License-Identifier: MIT
#include <heed/data/matrix.h>
#include <report/axis.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::report {
namespace {

constexpr double rounding = 1e-9;  // of a step: a tick on the very end belongs to the range
constexpr Seconds minute{60};
constexpr Seconds hour{3600};

std::vector<Tick> stepped(const Range& range, double step, double unit) {
  std::vector<Tick> ticks;
  const double first = std::ceil((range.low / step) - rounding);
  const double last = std::floor((range.high / step) + rounding);
  for (auto k = static_cast<Index>(first); k <= static_cast<Index>(last); ++k) {
    const double value = static_cast<double>(k) * step;
    ticks.push_back({value, number_label(value / unit)});
  }
  return ticks;
}

double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + rounding)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::vector<Tick> linear_ticks(const Range& range, int wanted) {
  return stepped(range, nice_step((range.high - range.low) / wanted), 1);
}

std::vector<Tick> log_ticks(const Range& range) {
  std::vector<Tick> ticks;
  const bool wide = range.high / range.low > 2000;
  const auto first = static_cast<int>(std::floor(std::log10(range.low)));
  const auto last = static_cast<int>(std::floor(std::log10(range.high) + rounding));
  for (int decade = first; decade <= last; ++decade) {
    const double power = std::pow(10.0, decade);
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * power;
      const bool inside = value >= range.low * (1 - rounding) && value <= range.high * (1 + rounding);
      if (inside && (factor == 1 || !wide)) ticks.push_back({value, number_label(value)});
    }
  }
  return ticks;
}

TimeAxis time_axis(Seconds span, Seconds closest) {
  constexpr std::array<double, 12> in_seconds{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300};
  constexpr std::array<double, 10> in_minutes{10, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600};
  constexpr std::array<double, 9> in_hours{360, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
  const auto step = [&](const auto& steps, Seconds beyond) {
    const auto* found = std::ranges::find_if(steps, [&](double one) { return one >= closest.value; });
    // Longer than any listed: whole multiples of the unit's great step.
    return found != steps.end() ? Seconds{*found} : std::ceil(closest / beyond) * beyond;
  };
  if (span.value <= 180) return {"s", Seconds{1}, step(in_seconds, 5 * minute)};
  if (span.value <= 3 * hour.value) return {"min", minute, step(in_minutes, hour)};
  return {"h", hour, step(in_hours, 24 * hour)};
}

std::vector<Tick> time_ticks(const TimeAxis& axis, const Range& seconds) {
  return stepped(seconds, axis.step.value, axis.unit_length.value);
}

std::string duration_label(Seconds duration) {
  const double size = std::abs(duration.value);
  if (size < 2 * minute.value) return number_label(duration.value, size < 10 ? 1 : 0) + " s";
  if (size < 3 * hour.value) return number_label(duration / minute, 1) + " min";
  return number_label(duration / hour, 1) + " h";
}

double Axis::place(double value) const {
  const double share = (stretched(value) - stretched(values_.low)) / (stretched(values_.high) - stretched(values_.low));
  return paper_.low + (share * (paper_.high - paper_.low));
}

std::vector<Tick> Axis::ticks(int wanted) const {
  if (scale_ == Scale::linear) return linear_ticks(values_, wanted);
  if (scale_ == Scale::logarithmic) return log_ticks(values_);
  const Range errors{100 - values_.high, 100 - values_.low};
  std::vector<Tick> ticks = log_ticks(errors);
  for (const double poor : {30.0, 40.0}) {  // between 20 and 50 the steps are wide
    if (poor >= errors.low && poor <= errors.high) ticks.push_back({poor, {}});
  }
  std::ranges::sort(ticks, {}, &Tick::value);
  for (Tick& tick : ticks) tick = {100 - tick.value, number_label(100 - tick.value)};
  return ticks;
}

// On the error scale 100 lies infinitely high: what is above the axis is drawn at its end.
double Axis::stretched(double value) const {
  if (scale_ == Scale::linear) return value;
  return scale_ == Scale::logarithmic ? std::log(value) : -std::log(100 - std::min(value, values_.high));
}

}  // namespace heed::report
