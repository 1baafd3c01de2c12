// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <dsp/gammatone.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "dsp/kernels/kernels.h"

namespace heed::dsp {
namespace {

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

// The carrier is kept for so many samples. Then the state is turned on, and what silence has let sink below `silent` is
// dropped: numbers too small to be normal are slow.
constexpr Index turn_samples = 256;
constexpr double silent = 1e-80;

constexpr Index widest_register = 8;  // doubles; kernels take whole ones

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

GammatoneBank::GammatoneBank(Hertz audio_rate) : GammatoneBank(audio_rate, gammatone_bands(audio_rate)) {}

GammatoneBank::GammatoneBank(Hertz audio_rate, std::vector<GammatoneBand> bands)
    : bands_(std::move(bands)),
      lanes_((std::ssize(bands_) + widest_register - 1) / widest_register * widest_register),
      coefficients_(static_cast<std::size_t>(kernels::gammatone_coefficients * lanes_)),
      carrier_(static_cast<std::size_t>(turn_samples * 2 * lanes_)),
      turn_(static_cast<std::size_t>(2 * lanes_)),
      state_(static_cast<std::size_t>(kernels::gammatone_states * lanes_)) {
  if (bands_.empty()) throw Error(ErrorKind::invalid_argument, "a filter bank needs at least one band");
  const auto lanes = static_cast<std::size_t>(lanes_);
  const double period = 1 / audio_rate.value;
  for (std::size_t b = 0; b < bands_.size(); ++b) {
    const GammatoneBand& band = bands_[b];
    const double size = std::exp(-two_pi * band.bandwidth.value * period);
    coefficients_[b] = size;
    coefficients_[lanes + b] = (3 + std::numbers::sqrt3) * size;
    coefficients_[(2 * lanes) + b] = (3 - std::numbers::sqrt3) * size;
    // The carrier is multiplied by twice, so each time by the root of the gain.
    const double root = std::sqrt(gain(band, audio_rate) * std::pow(period, 3) * size);
    const double angle = two_pi * band.centre.value * period;
    for (std::size_t n = 0; n < turn_samples; ++n) {
      carrier_[(2 * n * lanes) + b] = root * std::cos(static_cast<double>(n) * angle);
      carrier_[((2 * n + 1) * lanes) + b] = root * std::sin(static_cast<double>(n) * angle);
    }
    turn_[b] = std::cos(turn_samples * angle);
    turn_[lanes + b] = std::sin(turn_samples * angle);
  }
}

void GammatoneBank::filter(std::span<const float> audio, double* out) noexcept {
  const auto& set = kernels::best_kernels();
  while (!audio.empty()) {
    const auto count = std::min(audio.size(), static_cast<std::size_t>(turn_samples - phase_));
    const double* carrier = carrier_.data() + (phase_ * 2 * lanes_);
    set.gammatone({audio.data(), static_cast<long>(count), lanes_, coefficients_.data(), carrier, state_.data(), out});
    audio = audio.subspan(count);
    out += static_cast<Index>(count) * lanes_;
    phase_ += static_cast<Index>(count);
    if (phase_ == turn_samples) turn();
  }
}

void GammatoneBank::reset() noexcept {
  std::ranges::fill(state_, 0.0);
  phase_ = 0;
}

void GammatoneBank::turn() noexcept {
  phase_ = 0;
  const auto lanes = static_cast<std::size_t>(lanes_);
  for (std::size_t k = 0; k < kernels::gammatone_states; k += 2) {
    double* cosine = state_.data() + (k * lanes);
    double* sine = cosine + lanes;
    for (std::size_t b = 0; b < lanes; ++b) {
      const double before = cosine[b];
      cosine[b] = (before * turn_[b]) + (sine[b] * turn_[lanes + b]);
      sine[b] = (sine[b] * turn_[b]) - (before * turn_[lanes + b]);
    }
  }
  for (double& value : state_) value = std::abs(value) < silent ? 0 : value;
}

}  // namespace heed::dsp
