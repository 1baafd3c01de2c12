// SPDX-License-Identifier: MIT
// What the figures of studies show of a measure: every participant, the mean, the middle half, and what was published.
#pragma once

#include <heed/evaluate/summary.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

struct ParticipantValue {
  std::string participant{};
  double value = 0;
};

struct PlottedValues {
  std::vector<ParticipantValue> participants{};  // faint dots; may be empty
  std::optional<double> mean{};
  std::optional<evaluate::Quartiles> middle_half{};  // the error bar
};

struct PublishedMark {
  double value = 0;
  std::string place{};  // "Table II", said under the mouse
};

// What a panel measures. Values are multiplied by the factor before they are shown: 100 for per cent.
struct MeasureAxis {
  std::string title{};  // "accuracy"
  std::string unit{};   // "%"
  double factor = 1;
  int decimals = 1;                 // in hints
  std::optional<double> chance{};   // a dashed line named so
  std::optional<double> lowest{};   // the axis begins there at the latest; nothing: by the values
  std::optional<double> highest{};  // likewise
};

}  // namespace heed::report
