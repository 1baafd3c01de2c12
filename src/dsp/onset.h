// SPDX-License-Identifier: MIT
// Where a sound rises: the half-wave rectified slope of its smoothed envelope, in units of the envelope a sample. The
// EEG answers to it more than to how loud a sound is. docs/preprocessing.md has the equations.
#pragma once

#include <dsp/sections.h>
#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <span>
#include <vector>

namespace heed::dsp {

// The smoothing: a Butterworth low-pass of order 2 at this edge. Faster changes are not followed by the EEG.
inline constexpr Hertz onset_smoothing{8};

// max(0, (q[n+1] - q[n-1]) / 2) of each column, q the envelope smoothed forwards and backwards; at the ends the slope
// is that to the one neighbour. samples x columns. Throws bad_data where it is too short to filter, invalid_argument
// for a rate not above 16 Hz.
[[nodiscard]] Matrix onsets(const Matrix& envelope, Hertz rate);

// The same with the smoothing run forwards only. Row k still lies at the time of row k that went in: what the smoothing
// is late by, in whole samples, is taken off again, and so a row comes delay() after its time. The envelope is taken
// to have always been what it is first, and to stay what it was last. The same bits for any chunking. Not thread-safe.
class OnsetFilter {
 public:
  // Throws invalid_argument for a rate not above 16 Hz.
  OnsetFilter(Hertz rate, Index columns);

  // How many rows push() will write for so many more rows of input.
  [[nodiscard]] Index ready(Index rows) const noexcept;
  // Writes ready(input.rows) rows and returns their number. Preconditions: finite numbers, input.columns == columns(),
  // out has as many columns and at least so many rows. Never allocates.
  Index push(MatrixView input, MutableMatrixView out) noexcept;

  // The end. Afterwards as many rows have come out as went in; nothing can be pushed after it. Writes remaining() rows.
  [[nodiscard]] Index remaining() const noexcept { return received_ - written_; }
  Index finish(MutableMatrixView out) noexcept;

  // Back to the start.
  void reset() noexcept { received_ = smoothed_ = written_ = 0; }

  [[nodiscard]] Index columns() const noexcept { return smoothing_.channels(); }
  // Rows that are waited for: the smoothing's group delay, rounded, and the neighbour that a slope needs.
  [[nodiscard]] Index waiting() const noexcept { return waiting_; }
  [[nodiscard]] Seconds delay() const noexcept;

 private:
  Index take(std::span<const double> row, MutableMatrixView out, Index at) noexcept;

  Hertz rate_;
  SectionFilter smoothing_;
  Index waiting_;
  Index received_ = 0;
  Index smoothed_ = 0;  // rows, those held at the end included
  Index written_ = 0;
  std::vector<double> input_;    // the last row that came in
  std::vector<double> now_;      // smoothed
  std::vector<double> before_;   // a row ago
  std::vector<double> earlier_;  // two rows ago
};

}  // namespace heed::dsp
