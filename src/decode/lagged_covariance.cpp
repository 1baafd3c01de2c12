// SPDX-License-Identifier: MIT
#include "decode/lagged_covariance.h"

#include "decode/statistics/lagged_sums.h"

#include <heed/data/error.h>

#include <algorithm>
#include <vector>

namespace heed::decode {

Matrix lagged_covariance(std::span<const Trial* const> trials, Index lags) {
  const Index channels = trials.empty() ? 0 : trials.front()->eeg.cols();
  const bool alike = std::ranges::all_of(trials, [&](const Trial* one) { return one->eeg.cols() == channels; });
  if (channels == 0 || lags < 1 || !alike) {
    throw Error(ErrorKind::invalid_argument, "a covariance needs at least one lag, and trials of the same channels");
  }
  Matrix sum = Matrix::Zero(lags * channels, channels);
  double samples = 0;
  for (const Trial* trial : trials) {
    const std::vector<Matrix> products = lag_products(data::view(trial->eeg), lags - 1);
    for (Index lag = 0; lag < lags; ++lag) {
      sum.middleRows(lag * channels, channels) += products[static_cast<std::size_t>(lag)].transpose();
    }
    samples += static_cast<double>(trial->eeg.rows());
    for (const SampleRange& range : trial->missing) samples -= static_cast<double>(range.count);
  }
  return sum / std::max(samples, 1.0);
}

}  // namespace heed::decode
