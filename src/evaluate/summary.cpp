// SPDX-License-Identifier: MIT
#include <heed/evaluate/summary.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

std::optional<Quartiles> quartiles(std::span<const std::optional<double>> values) {
  std::vector<double> sorted;
  for (const auto& value : values) {
    if (value) sorted.push_back(*value);
  }
  if (sorted.empty()) return std::nullopt;
  std::ranges::sort(sorted);
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + ((place - std::floor(place)) * (sorted[above] - sorted[below]));
  };
  return Quartiles{.lower = at(0.25), .upper = at(0.75)};
}

}  // namespace heed::evaluate
