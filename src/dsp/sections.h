// SPDX-License-Identifier: MIT
// Recursive filters as second-order sections: Butterworth designs, a filter that runs forwards and keeps its state,
// and the same filter forwards and backwards. Equal to scipy's butter(output='sos'), sosfilt and sosfiltfilt.
#pragma once

#include <dsp/kernels/kernels.h>
#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <span>
#include <vector>

namespace heed::dsp {

using kernels::Section;
using Sections = std::vector<Section>;

struct Band {
  Hertz low{};
  Hertz high{};
};

// `order` is that of the low-pass the band-pass is made from, as scipy counts: order 2 gives two sections, which fall
// off by 12 dB an octave on either side. Throws invalid_argument: an order outside 1 ... 16, an edge not between 0 and
// half the rate, low not below high.
[[nodiscard]] Sections butterworth_band_pass(int order, Band band, Hertz rate);
[[nodiscard]] Sections butterworth_low_pass(int order, Hertz edge, Hertz rate);

// How much later than it came a slow change of amplitude at this frequency leaves.
[[nodiscard]] Seconds group_delay(std::span<const Section> sections, Hertz frequency, Hertz rate);

// Forwards, over all channels at once; the state is kept from call to call, so chunks of any size give the same bits.
// Starts as if the signal had always been zero. Not thread-safe.
class SectionFilter {
 public:
  SectionFilter(Sections sections, Index channels);

  // In place, rows in time. Precondition: signal.columns == channels().
  void filter(MutableMatrixView signal) noexcept;
  void reset() noexcept;
  // As if each channel had always been at this value. Precondition: one per channel.
  void start_at(std::span<const double> values) noexcept;

  [[nodiscard]] Index channels() const noexcept { return channels_; }

 private:
  Sections sections_;
  Index channels_;
  std::vector<double> state_;  // [section][2][channel]
};

// How many samples filter_zero_phase continues a signal by on either side; it must be longer than that.
[[nodiscard]] Index zero_phase_padding(std::span<const Section> sections) noexcept;

// Forwards and backwards, in place: no delay, the gain squared. The ends are continued by their odd reflection. Throws
// bad_data where the signal is too short. Takes storage for these reflections alone.
void filter_zero_phase(const Sections& sections, MutableMatrixView signal);

}  // namespace heed::dsp
