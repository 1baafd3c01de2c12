// SPDX-License-Identifier: MIT
#include <dsp/envelope.h>
#include <heed/data/error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "dsp/kernels/kernels.h"

namespace heed::dsp {
namespace {

constexpr std::size_t block_samples = 256;  // the bands of a block stay in the near caches
constexpr Index history_rows = 2048;        // beyond what the slowest band waits for; moved on when they are full

Index audio_samples(Seconds time, Hertz rate) { return static_cast<Index>(std::llround(time * rate)); }

// Without a branch a sample: numbers that are not finite have all bits of the exponent set.
bool all_finite(std::span<const float> audio) {
  constexpr std::uint32_t exponent = 0x7f800000;
  std::uint32_t broken = 0;
  for (const float sample : audio) broken |= (std::bit_cast<std::uint32_t>(sample) & exponent) == exponent ? 1U : 0U;
  return broken == 0;
}

// Band by band, for several samples at once: a sum waits for its last term.
template <std::size_t Samples, typename Lanes>
void sum_samples(const double* rows, Lanes lanes, std::span<const Index> offsets, double* sums) {
  std::array<double, Samples> parts{};
  for (const Index offset : offsets) {
    const double* band = rows + offset;
    for (std::size_t n = 0; n < Samples; ++n) parts[n] += band[n * lanes];
  }
  std::ranges::copy(parts, sums);
}

// lanes: of a row; a number, or a constant of the compiler's.
template <typename Lanes>
void sum_bands(const double* rows, Lanes lanes, std::span<const Index> offsets, std::span<double> sums) {
  constexpr std::size_t together = 8;
  std::size_t n = 0;
  for (; n + together <= sums.size(); n += together) {
    sum_samples<together>(rows + (n * lanes), lanes, offsets, sums.data() + n);
  }
  for (; n < sums.size(); ++n) sum_samples<1>(rows + (n * lanes), lanes, offsets, sums.data() + n);
}

}  // namespace

void compress(std::span<double> values) noexcept {
  kernels::best_kernels().compress(values.data(), static_cast<long>(values.size()));
}

EnvelopeExtractor::EnvelopeExtractor(Hertz audio_rate, Hertz envelope_rate)
    : EnvelopeExtractor(GammatoneBank(audio_rate), audio_rate, envelope_rate) {}

EnvelopeExtractor::EnvelopeExtractor(GammatoneBank bank, Hertz audio_rate, Hertz envelope_rate)
    : audio_rate_(audio_rate), bank_(std::move(bank)), resampler_(rate_ratio(audio_rate, envelope_rate), 1) {
  slowest_ = audio_samples(bank_.bands().front().peak(), audio_rate);
  to_drop_ = slowest_;
  for (const GammatoneBand& band : bank_.bands()) {
    const Index wait = slowest_ - audio_samples(band.peak(), audio_rate);
    offsets_.push_back(std::ssize(offsets_) - (wait * bank_.lanes()));
  }
  powers_.resize(static_cast<std::size_t>((slowest_ + history_rows) * bank_.lanes()));
  rows_ = slowest_;
  sums_.resize(block_samples);
}

Seconds EnvelopeExtractor::alignment_delay() const noexcept {
  return {static_cast<double>(slowest_) / audio_rate_.value};
}

Seconds EnvelopeExtractor::delay() const noexcept {
  return alignment_delay() + Seconds{resampler_.reach() / audio_rate_.value};
}

void EnvelopeExtractor::push(std::span<const float> audio, std::vector<double>& envelope) {
  if (!all_finite(audio)) {
    const auto broken = std::ranges::find_if_not(audio, [](float sample) { return std::isfinite(sample); });
    throw Error(ErrorKind::bad_data, "audio sample " + std::to_string(received_ + (broken - audio.begin()) + 1) +
                                         " is not a finite number: export the sound again");
  }
  received_ += static_cast<Index>(audio.size());
  while (!audio.empty()) {
    const auto count = std::min(audio.size(), block_samples);
    process(audio.first(count), envelope);
    audio = audio.subspan(count);
  }
}

void EnvelopeExtractor::process(std::span<const float> audio, std::vector<double>& envelope) {
  const Index lanes = bank_.lanes();
  const auto count = static_cast<Index>(audio.size());
  if ((rows_ + count) * lanes > std::ssize(powers_)) {
    std::copy_n(powers_.begin() + ((rows_ - slowest_) * lanes), slowest_ * lanes, powers_.begin());
    rows_ = slowest_;
  }
  double* fresh = powers_.data() + (rows_ * lanes);
  bank_.filter(audio, fresh);
  compress({fresh, static_cast<std::size_t>(count * lanes)});
  const std::span<double> sums{sums_.data(), audio.size()};
  if (lanes == kernels::usual_lanes) {
    sum_bands(fresh, std::integral_constant<std::size_t, kernels::usual_lanes>{}, offsets_, sums);
  } else {
    sum_bands(fresh, static_cast<std::size_t>(lanes), offsets_, sums);
  }
  rows_ += count;
  const Index dropped = std::min(to_drop_, count);
  to_drop_ -= dropped;
  resample_into({sums_.data() + dropped, static_cast<std::size_t>(count - dropped)}, envelope);
}

void EnvelopeExtractor::resample_into(std::span<const double> sums, std::vector<double>& envelope) {
  const auto rows = static_cast<Index>(sums.size());
  const Index ready = resampler_.ready(rows);
  const std::size_t before = envelope.size();
  envelope.resize(before + static_cast<std::size_t>(ready));
  resampler_.push(MatrixView{sums.data(), rows, 1, 1}, {envelope.data() + before, ready, 1, 1});
}

void EnvelopeExtractor::reset() noexcept {
  bank_.reset();
  resampler_.reset();
  std::ranges::fill(powers_, 0.0);
  rows_ = slowest_;
  to_drop_ = slowest_;
  received_ = 0;
}

void EnvelopeExtractor::finish(std::vector<double>& envelope) {
  if (received_ == 0) return;
  constexpr std::array<float, block_samples> silence{};
  for (auto rest = static_cast<std::size_t>(slowest_); rest > 0;) {
    const std::size_t count = std::min(rest, silence.size());
    push({silence.data(), count}, envelope);
    rest -= count;
  }
  const Index rest = resampler_.remaining();
  const std::size_t before = envelope.size();
  envelope.resize(before + static_cast<std::size_t>(rest));
  resampler_.finish({envelope.data() + before, rest, 1, 1});
}

std::vector<double> speech_envelope(std::span<const float> audio, Hertz audio_rate, Hertz envelope_rate) {
  EnvelopeExtractor extractor(audio_rate, envelope_rate);
  std::vector<double> envelope;
  extractor.push(audio, envelope);
  extractor.finish(envelope);
  return envelope;
}

}  // namespace heed::dsp
