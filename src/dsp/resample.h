// SPDX-License-Identifier: MIT
// Polyphase resampling by a rational ratio, with the taps of scipy's resample_poly (Kaiser window, beta 5; ten periods
// of the lower rate on either side). One engine streams; what works on a whole signal is that engine in one chunk.
// Sample k of what comes out lies at the time k / rate, counted from the first sample that went in: never a shift.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/recording.h>
#include <heed/data/units.h>

#include <vector>

namespace heed::dsp {

using SampleView = data::BasicMatrixView<const float>;

// to = from * up / down, in lowest terms.
struct RateRatio {
  Index up = 1;
  Index down = 1;
  friend bool operator==(const RateRatio&, const RateRatio&) = default;
};

// Within 1e-10. Throws invalid_argument for rates that are not positive, unsupported where both numbers cannot be below
// 50,000.
[[nodiscard]] RateRatio rate_ratio(Hertz from, Hertz to);

// A stream. Before its first sample the signal is taken to have always been what it is there, so that offsets do not
// ring. A sample of the output comes as soon as its last input sample has; it is the same bits for any chunking.
// Not thread-safe.
class Resampler {
 public:
  Resampler(RateRatio ratio, Index channels);

  // How many rows push() will write for so many more rows of input.
  [[nodiscard]] Index ready(Index rows) const noexcept;
  // Writes ready(input.rows) rows and returns their number. Preconditions: input.columns == channels(), out has as many
  // columns and at least so many rows. Never allocates.
  Index push(SampleView input, MutableMatrixView out) noexcept;
  Index push(MatrixView input, MutableMatrixView out) noexcept;

  // The end: the signal is taken to stay what it was last. Afterwards ceil(input * up / down) rows have come out.
  // Writes remaining() rows; nothing can be pushed after it.
  [[nodiscard]] Index remaining() const noexcept;
  Index finish(MutableMatrixView out) noexcept;

  // Back to the start.
  void reset() noexcept { first_row_ = rows_ = received_ = written_ = 0; }

  [[nodiscard]] Index channels() const noexcept { return channels_; }
  [[nodiscard]] RateRatio ratio() const noexcept { return ratio_; }
  // So many input samples after (and before) its own time an output sample looks: how late it comes. Not whole for some
  // ratios. In output samples: times up / down, which is 10 going down.
  [[nodiscard]] double reach() const noexcept;
  // The last input row that output row k looks at, and the first (may be negative).
  [[nodiscard]] Index last_needed(Index k) const noexcept;
  [[nodiscard]] Index first_needed(Index k) const noexcept;

 private:
  template <typename Element>
  Index push_elements(data::BasicMatrixView<const Element> input, MutableMatrixView out) noexcept;
  Index write_ready(MutableMatrixView out) noexcept;
  void make_room() noexcept;

  RateRatio ratio_;
  Index channels_;
  Index stride_;                 // of a row of history: 1, or a multiple of 8
  Index half_;                   // taps on either side of the middle one, at `up` times the input's rate
  Index phase_taps_;             // of one phase
  std::vector<double> taps_;     // [phase][phase_taps_], the oldest input first
  std::vector<double> history_;  // rows of stride_; a window that moves on
  std::vector<double> row_;      // one output row of stride_
  Index first_row_ = 0;          // the input row that lies first in history_
  Index rows_ = 0;               // of history_ in use
  Index received_ = 0;
  Index written_ = 0;
};

// Equal to scipy's resample_poly(x, up, down, window=('kaiser', 5.0), padtype='line'): beyond its ends the signal goes
// on along the line through its first and last sample. Zero phase; samples x channels.
[[nodiscard]] Matrix resample(const Matrix& signal, RateRatio ratio);

// Resampler in one chunk: the same samples but for the ends, where the first and last value are held.
[[nodiscard]] Matrix resample_causal(const Matrix& signal, RateRatio ratio);

}  // namespace heed::dsp
