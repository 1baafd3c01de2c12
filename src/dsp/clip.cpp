// SPDX-License-Identifier: MIT
#include <dsp/clip.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dsp/present_rows.h"

namespace heed::dsp {
namespace {

constexpr double median_of_normal = 0.674489750196081743;  // of |x|, in standard deviations

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

Eigen::VectorXd robust_deviations(MatrixView signal, std::span<const SampleRange> missing) {
  Eigen::VectorXd deviations(signal.columns);
  std::vector<double> sizes;
  for (Index c = 0; c < signal.columns; ++c) {
    sizes.clear();
    for_each_present_row(signal, missing, [&](const auto& row) { sizes.push_back(std::abs(row[c])); });
    deviations[c] = median(sizes) / median_of_normal;
  }
  return deviations;
}

Index clip(MutableMatrixView signal, const Eigen::VectorXd& deviations, double times) noexcept {
  Index clipped = 0;
  for (Index t = 0; t < signal.rows; ++t) {
    for (Index c = 0; c < signal.columns; ++c) {
      const double limit = times * deviations[c];
      if (limit == 0 || !(std::abs(signal(t, c)) > limit)) continue;
      signal(t, c) = std::copysign(limit, signal(t, c));
      ++clipped;
    }
  }
  return clipped;
}

}  // namespace heed::dsp
