// SPDX-License-Identifier: MIT
// The sum of x x' over windows that fade, x the lagged EEG of a sample, without the lagged matrix: along a block
// diagonal of a window's sum, each block is the one before it plus the products of the samples that come in at the
// window's end, less those that go out at its start. So a window adds its first block column and two vectors.
#pragma once

#include <heed/data/matrix.h>

namespace heed::decode {

// What the windows of a block add. The thread that listens writes it.
class BlockOfWindows {
 public:
  BlockOfWindows(Index channels, Index lags, Index windows);

  // eeg: the samples of a window and of its lags, channels side by side without gaps.
  void add(MatrixView eeg);
  void fade(double kept);  // everything so far counts so much of what it did
  // The sums of first columns go on from block to block; the vectors are of one block.
  void start_next() noexcept;
  [[nodiscard]] const Matrix& first_column() const noexcept { return first_column_; }
  void start_from(const Matrix& first_column) { first_column_ = first_column; }

 private:
  friend class FadingGram;
  Index channels_;
  Index lags_;
  Matrix first_column_;  // n x channels
  Matrix entering_;      // windows x (n - channels)
  Matrix leaving_;       // likewise
  Index windows_ = 0;
  double kept_ = 1;  // of what was there before the block
};

// The whole sum. Any one thread takes a block in, while nobody writes to it.
class FadingGram {
 public:
  FadingGram(Index channels, Index lags);

  void take(const BlockOfWindows& block);
  // The lower triangle, as of the block that was taken last.
  void write_lower(Matrix& gram) const;

 private:
  Index channels_;
  Matrix first_column_;
  Matrix edges_;  // lower triangle: what blocks differ by from those above and left of them
};

}  // namespace heed::decode
