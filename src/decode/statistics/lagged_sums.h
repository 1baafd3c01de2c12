// SPDX-License-Identifier: MIT
// Sums over lagged signals, without their lagged matrix where that would be large. Signals are zero beyond both ends.
#pragma once

#include <heed/decode/trial_statistics.h>

namespace heed::decode {

// Sum over t of x x', x = (eeg(t + first), ..., eeg(t + last)): channel products at each lag, corrected along the
// block diagonals for the samples that slide out of the trial.
[[nodiscard]] Matrix lagged_gram(MatrixView eeg, LagRange lags);

// The same of few columns, with the lagged matrix in pieces.
[[nodiscard]] Matrix narrow_lagged_gram(MatrixView stimulus, LagRange lags);

// Sum over t of x y'.
[[nodiscard]] Matrix lagged_cross(MatrixView eeg, MatrixView stimulus, const DecoderLags& lags);

// Sum over t of e e', e(c) = sum over the lags of eeg(t + lag, c)^2.
[[nodiscard]] Matrix energy_gram(MatrixView eeg, LagRange lags);

}  // namespace heed::decode
