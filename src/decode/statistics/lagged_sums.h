// SPDX-License-Identifier: MIT
// Sums over lagged signals, without their lagged matrix where that would be large, and what they are made of. Signals
// are zero beyond both ends.
#pragma once

#include <heed/decode/trial_statistics.h>

#include <vector>

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

// Products of channels at every lag, by Fourier transforms of short blocks.
// [d] channels x channels, d = 0 ... longest: sum over all t with t + d inside the signal of x(t) x(t+d)'.
[[nodiscard]] std::vector<Matrix> lag_products(MatrixView signal, Index longest);

// The Fourier transform of many channels at once: time runs down the rows, and every butterfly works on whole rows.
// Of one length, a power of two. Rows hold the real parts of all channels, then their imaginary parts.
class RowFft {
 public:
  explicit RowFft(Index length);

  // In place, length x (2 channels), of exp(-2 pi i f t / length). Slot s comes to hold frequency frequency_of(s).
  void transform(double* rows, Index channels) const;
  [[nodiscard]] Index frequency_of(Index slot) const { return frequencies_[static_cast<std::size_t>(slot)]; }
  [[nodiscard]] Index length() const noexcept { return length_; }

 private:
  Index length_;
  std::vector<double> cosines_{};  // of 2 pi k / length
  std::vector<double> sines_{};
  std::vector<Index> frequencies_{};
};

}  // namespace heed::decode
