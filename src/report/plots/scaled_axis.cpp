// SPDX-License-Identifier: MIT
#include <report/ink/text.h>
#include <report/plots/scaled_axis.h>

#include <algorithm>
#include <cmath>

namespace heed::report {

double ScaledAxis::place(double value) const {
  const double share = (stretched(value) - stretched(values_.low)) / (stretched(values_.high) - stretched(values_.low));
  return paper_.low + (share * (paper_.high - paper_.low));
}

std::vector<Tick> ScaledAxis::ticks(int wanted) const {
  if (scale_ == Scale::linear) return linear_ticks(values_, wanted);
  if (scale_ == Scale::logarithmic) return log_ticks(values_);
  std::vector<Tick> ticks;
  for (const Tick& error : log_ticks({100 - values_.high, 100 - values_.low})) {
    ticks.push_back({100 - error.value, number_label(100 - error.value)});
  }
  return ticks;
}

// On the error scale 100 lies infinitely high: what is above the axis is drawn at its end.
double ScaledAxis::stretched(double value) const {
  if (scale_ == Scale::linear) return value;
  return scale_ == Scale::logarithmic ? std::log(value) : -std::log(100 - std::min(value, values_.high));
}

}  // namespace heed::report
