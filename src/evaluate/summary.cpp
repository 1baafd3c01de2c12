// SPDX-License-Identifier: MIT
#include <heed/evaluate/summary.h>

#include <cmath>

namespace heed::evaluate {

Summary summarise(std::span<const std::optional<double>> values) {
  Summary summary;
  double total = 0;
  for (const auto& value : values) {
    if (!value) continue;
    total += *value;
    ++summary.count;
  }
  if (summary.count == 0) return summary;
  const auto count = static_cast<double>(summary.count);
  const double mean = total / count;
  summary.mean = mean;
  if (summary.count < 2) return summary;
  double squares = 0;
  for (const auto& value : values) {
    if (value) squares += (*value - mean) * (*value - mean);
  }
  summary.sd = std::sqrt(squares / (count - 1));
  return summary;
}

}  // namespace heed::evaluate
