// SPDX-License-Identifier: MIT
#include "track/simplex_walk.h"

#include <heed/core/recursion.h>
#include <heed/track/tracker.h>

#include <algorithm>

namespace heed::track {

void walk(std::span<double> gains, std::span<const double> shares, double step) noexcept {
  if (gains.size() == 2) {
    gains[0] = std::clamp(gains[0] + (step * (shares[0] - shares[1])), 0.0, 1.0);
    gains[1] = 1 - gains[0];
    return;
  }
  const auto speakers = static_cast<double>(gains.size());
  for (std::size_t j = 0; j < gains.size(); ++j) {
    const double drive = (shares[j] - (1 / speakers)) * speakers / (speakers - 1);
    gains[j] = std::clamp(gains[j] + (step * drive), 0.0, 1.0);
  }
  core::normalise(gains);
}

Path decide_gains(const Posteriors& gains) {
  constexpr double tie = 1e-9;
  Posteriors judged = gains;
  for (auto row : judged.values.rowwise()) {
    const double top = row.maxCoeff();
    row = (row.array() > top - tie).select(top, row);
  }
  return decide(judged);
}

}  // namespace heed::track
