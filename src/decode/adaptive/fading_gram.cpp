// SPDX-License-Identifier: MIT
#include "decode/adaptive/fading_gram.h"

#include "decode/dense/dense.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::decode {

BlockOfWindows::BlockOfWindows(Index channels, Index lags, Index windows)
    : channels_(channels),
      lags_(lags),
      first_column_(Matrix::Zero(lags * channels, channels)),
      entering_(windows, (lags - 1) * channels),
      leaving_(windows, (lags - 1) * channels) {}

void BlockOfWindows::add(MatrixView eeg) {
  const Index samples = eeg.rows - lags_ + 1;
  const MutableMatrixView column = data::view(first_column_);
  const MatrixView window = eeg.middle_rows(0, samples);
  for (Index lag = 0; lag < lags_; ++lag) {
    add_product(column.middle_rows(lag * channels_, channels_), eeg.middle_rows(lag, samples), window, 1);
  }
  std::copy_n(eeg.row(samples).data(), entering_.cols(), entering_.row(windows_).data());
  std::copy_n(eeg.data, leaving_.cols(), leaving_.row(windows_).data());
  ++windows_;
}

void BlockOfWindows::fade(double kept) {
  first_column_ *= kept;
  entering_.topRows(windows_) *= std::sqrt(kept);
  leaving_.topRows(windows_) *= std::sqrt(kept);
  kept_ *= kept;
}

void BlockOfWindows::start_next() noexcept {
  windows_ = 0;
  kept_ = 1;
}

FadingGram::FadingGram(Index channels, Index lags)
    : channels_(channels),
      first_column_(Matrix::Zero(lags * channels, channels)),
      edges_(Matrix::Zero((lags - 1) * channels, (lags - 1) * channels)) {}

void FadingGram::take(const BlockOfWindows& block) {
  first_column_ = block.first_column_;
  if (edges_.size() == 0) return;
  edges_ *= block.kept_;
  add_gram_lower(data::view(edges_), data::view(block.entering_).middle_rows(0, block.windows_), 1);
  add_gram_lower(data::view(edges_), data::view(block.leaving_).middle_rows(0, block.windows_), -1);
}

void FadingGram::write_lower(Matrix& gram) const {
  gram.leftCols(channels_) = first_column_;
  for (Index row = channels_; row < gram.rows(); ++row) {
    const Index above = row - channels_;
    gram.row(row).segment(channels_, above + 1) = gram.row(above).head(above + 1) + edges_.row(above).head(above + 1);
  }
}

}  // namespace heed::decode
