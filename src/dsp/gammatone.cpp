// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/text.h>
#include <heed/dsp/gammatone.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

#include "dsp/kernels/kernels.h"

namespace heed::dsp {
namespace {

static_assert(GammatoneBank::lanes == kernels::bands);

constexpr double two_pi = 2 * std::numbers::pi;

// Glasberg and Moore's scale of auditory filters, and its constants.
constexpr double erb_scale = 9.2645;
constexpr double erb_slope = 0.00437;
constexpr double erb_step = 1.5;
constexpr Hertz lowest_edge{150};
constexpr Hertz highest_edge{4000};
constexpr double lowest_audio_rate = 1000;

double erb_number(Hertz frequency) { return erb_scale * std::log1p(erb_slope * frequency.value); }
Hertz of_erb_number(double number) { return {std::expm1(number / erb_scale) / erb_slope}; }

// Silence lets the state sink to numbers too small to be normal, which are slow. So often it is looked at, and what is
// below `silent` is as good as nothing.
constexpr Index look_every = 256;
constexpr double silent = 1e-80;

double gain(const GammatoneBand& band, Hertz rate) {
  return 2 * std::pow(two_pi * band.bandwidth.value, 4) / (6 * rate.value);
}

}  // namespace

Seconds GammatoneBand::peak() const noexcept { return {3 / (two_pi * bandwidth.value)}; }

double GammatoneBand::response(Seconds t, Hertz audio_rate) const noexcept {
  return gain(*this, audio_rate) * t.value * t.value * t.value * std::cos(two_pi * centre.value * t.value) *
         std::exp(-two_pi * bandwidth.value * t.value);
}

std::vector<GammatoneBand> gammatone_bands() {
  const double lowest = erb_number(lowest_edge);
  const double room = erb_number(highest_edge) - lowest;
  const double steps = std::floor(room / erb_step);
  std::vector<GammatoneBand> bands;
  for (int k = 0; k <= static_cast<int>(steps); ++k) {
    const Hertz centre = of_erb_number(lowest + ((room - (steps * erb_step)) / 2) + (k * erb_step));
    bands.push_back({centre, {1.5 * (24.7 + (centre.value / 9.265))}});
  }
  return bands;
}

std::vector<GammatoneBand> gammatone_bands(Hertz audio_rate) {
  if (!(audio_rate.value >= lowest_audio_rate) || !std::isfinite(audio_rate.value)) {
    throw Error(ErrorKind::invalid_argument,
                "audio of " + data::shown(audio_rate.value) +
                    " Hz holds too little of speech: give audio of at least 1000 Hz (8000 Hz for all bands), or an "
                    "envelope table");
  }
  std::vector<GammatoneBand> bands = gammatone_bands();
  std::erase_if(bands, [&](const GammatoneBand& band) { return band.centre.value >= audio_rate.value / 2; });
  return bands;
}

GammatoneBank::GammatoneBank(Hertz audio_rate)
    : bands_(gammatone_bands(audio_rate)),
      coefficients_(kernels::gammatone_coefficients * kernels::bands),
      state_(kernels::gammatone_states * kernels::bands) {
  constexpr std::array<double, 4> stage_weights = {-1, 7, -12, 6};
  const double period = 1 / audio_rate.value;
  for (std::size_t b = 0; b < bands_.size(); ++b) {
    const GammatoneBand& band = bands_[b];
    const std::complex<double> pole =
        std::polar(std::exp(-two_pi * band.bandwidth.value * period), two_pi * band.centre.value * period);
    coefficients_[b] = pole.real();
    coefficients_[kernels::bands + b] = pole.imag();
    for (std::size_t k = 0; k < stage_weights.size(); ++k) {
      coefficients_[((2 + k) * kernels::bands) + b] = stage_weights[k] * gain(band, audio_rate) * std::pow(period, 3);
    }
  }
}

void GammatoneBank::filter(std::span<const float> audio, double* out) noexcept {
  const auto& set = kernels::best_kernels();
  while (!audio.empty()) {
    const auto count = std::min(audio.size(), static_cast<std::size_t>(look_every - phase_));
    set.gammatone({audio.data(), static_cast<long>(count), coefficients_.data(), state_.data(), out});
    audio = audio.subspan(count);
    out += static_cast<Index>(count) * lanes;
    phase_ += static_cast<Index>(count);
    if (phase_ < look_every) continue;
    phase_ = 0;
    for (double& value : state_) value = std::abs(value) < silent ? 0 : value;
  }
}

}  // namespace heed::dsp
