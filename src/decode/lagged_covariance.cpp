// SPDX-License-Identifier: MIT
#include "decode/lagged_covariance.h"

#include "decode/dense/dense.h"

#include <heed/data/error.h>

#include <algorithm>

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
    const MatrixView eeg = data::view(trial->eeg);
    for (Index lag = 0; lag < std::min(lags, eeg.rows); ++lag) {
      add_product(data::view(sum).middle_rows(lag * channels, channels), eeg.middle_rows(lag, eeg.rows - lag),
                  eeg.middle_rows(0, eeg.rows - lag), 1);
    }
    samples += static_cast<double>(eeg.rows);
    for (const SampleRange& range : trial->missing) samples -= static_cast<double>(range.count);
  }
  return sum / std::max(samples, 1.0);
}

}  // namespace heed::decode
