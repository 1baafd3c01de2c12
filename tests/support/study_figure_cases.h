// SPDX-License-Identifier: MIT
// Values of made-up participants for the figures of studies.
#pragma once

#include <heed/data/random.h>
#include <heed/evaluate/summary.h>
#include <report/study/figures.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace heed::test {

inline report::MeasureAxis accuracy_axis() {
  return {.title = "accuracy", .unit = "%", .factor = 100, .decimals = 1, .chance = 0.5, .lowest = {}, .highest = {}};
}

inline report::MeasureAxis time_axis() {
  return {.title = "switch time", .unit = "s", .factor = 1, .decimals = 1, .chance = {}, .lowest = {}, .highest = {}};
}

// Mean and middle half of these.
inline report::PlottedValues plotted(const std::vector<double>& values) {
  report::PlottedValues result;
  std::vector<std::optional<double>> known;
  for (std::size_t k = 0; k < values.size(); ++k) {
    result.participants.push_back({"sub-" + std::to_string(k + 1), values[k]});
    known.emplace_back(values[k]);
  }
  result.mean = evaluate::summarise(known).mean;
  result.quartiles = evaluate::quartiles(known);
  return result;
}

struct Spread {
  double mean = 0;
  double sd = 1;
  double low = 0;
  double high = 1;
};

inline report::PlottedValues scattered(RandomStream& random, int participants, const Spread& spread) {
  std::vector<double> values;
  for (int k = 0; k < participants; ++k) {
    values.push_back(std::clamp(spread.mean + (spread.sd * random.normal()), spread.low, spread.high));
  }
  return plotted(values);
}

}  // namespace heed::test
