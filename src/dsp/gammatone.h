// SPDX-License-Identifier: MIT
// The auditory filter bank: gammatones g(t) = a t^3 cos(2 pi f t) exp(-2 pi B t), 1.5 ERB apart and 1.5 ERB wide
// (Biesmans 2017), 15 of them; how many is settled by their spacing, in gammatone.cpp alone. Realised as the recursive
// filter whose impulse response is g sampled, exactly.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <span>
#include <vector>

namespace heed::dsp {

struct GammatoneBand {
  Hertz centre{};
  Hertz bandwidth{};  // B

  // When the response's envelope is largest: 3 / (2 pi B). What aligning a band takes away.
  [[nodiscard]] Seconds peak() const noexcept;
  // g at t >= 0 for sound of this rate; its gain at the centre is 1.
  [[nodiscard]] double response(Seconds t, Hertz audio_rate) const noexcept;
};

// 178.7 ... 3702.6 Hz, ascending: 1.5 ERB numbers apart and centred in [150, 4000] Hz.
[[nodiscard]] std::vector<GammatoneBand> gammatone_bands();
// Those whose centre lies below half the rate; the others are left out. Throws invalid_argument below 1 kHz.
[[nodiscard]] std::vector<GammatoneBand> gammatone_bands(Hertz audio_rate);

// All bands at once, sample by sample; the state is kept. Not thread-safe.
class GammatoneBank {
 public:
  // gammatone_bands(audio_rate)
  explicit GammatoneBank(Hertz audio_rate);
  // Any bands, as many as are wanted; throws invalid_argument for none.
  GammatoneBank(Hertz audio_rate, std::vector<GammatoneBand> bands);

  [[nodiscard]] const std::vector<GammatoneBand>& bands() const noexcept { return bands_; }
  // Numbers in a row of `out` below: the bands, rounded up to whole registers.
  [[nodiscard]] Index lanes() const noexcept { return lanes_; }

  // out: audio.size() rows of lanes() numbers, the bands' outputs and then zeros. The same bits for any chunking.
  void filter(std::span<const float> audio, double* out) noexcept;
  // Back to the start.
  void reset() noexcept;

 private:
  void turn() noexcept;

  std::vector<GammatoneBand> bands_;
  Index lanes_;
  std::vector<double> coefficients_;
  std::vector<double> carrier_;  // of one turn
  std::vector<double> turn_;     // the angle of one turn: cosine and sine
  std::vector<double> state_;
  Index phase_ = 0;  // of carrier_
};

}  // namespace heed::dsp
