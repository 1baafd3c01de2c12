// SPDX-License-Identifier: MIT
// Preprocessing: the envelope of a minute of speech beside what scipy does (an IIR gammatone of order 8 a band by
// lfilter, the power by pow, the same resampling), ten minutes of EEG brought to 64 Hz, and filtered forwards and
// backwards beside what sosfiltfilt does (one channel after the other).
#include <benchmark/benchmark.h>
#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <dsp/sections.h>
#include <heed/data/random.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "lfilter.h"
#include "ratio_reporter.h"

namespace heed::bench {
namespace {

constexpr double audio_rate = 44100;
constexpr std::size_t audio_samples = std::size_t{60} * 44100;
constexpr Index eeg_rate = 512;
constexpr Index eeg_channels = 64;
constexpr Index eeg_seconds = 600;

// Noise whose loudness comes and goes as syllables do.
std::vector<float> speech_like() {
  RandomStream random(1);
  std::vector<float> audio(audio_samples);
  for (std::size_t n = 0; n < audio.size(); ++n) {
    const double loudness = 1 + std::sin(2 * std::numbers::pi * 4 * static_cast<double>(n) / audio_rate);
    audio[n] = static_cast<float>(0.05 * loudness * random.normal());
  }
  return audio;
}

// scipy.signal.gammatone(f, 'iir') but for the gain and for B: ((1 - c z^-1)(1 - c* z^-1))^4 below.
TransferFunction scipy_gammatone(const dsp::GammatoneBand& band) {
  const double decay = std::exp(-2 * std::numbers::pi * band.bandwidth.value / audio_rate);
  const double angle = 2 * std::numbers::pi * band.centre.value / audio_rate;
  TransferFunction filter{};
  constexpr std::array<double, 5> binomial = {1, -4, 6, -4, 1};
  for (std::size_t k = 0; k < binomial.size(); ++k) {
    const auto power = static_cast<double>(k);
    filter.b[k] = 1e-6 * binomial[k] * std::cos(power * angle) * std::pow(decay, power);
  }
  filter.a[0] = 1;
  for (int times = 0; times < 4; ++times) {
    for (std::size_t k = filter.a.size(); k-- > 0;) {
      if (k >= 1) filter.a[k] -= 2 * decay * std::cos(angle) * filter.a[k - 1];
      if (k >= 2) filter.a[k] += decay * decay * filter.a[k - 2];
    }
  }
  return filter;
}

std::vector<double> scipy_envelope(const std::vector<float>& audio) {
  const std::vector<double> sound(audio.begin(), audio.end());
  std::vector<double> band_sound(sound.size());
  std::vector<double> sum(sound.size());
  for (const dsp::GammatoneBand& band : dsp::gammatone_bands()) {
    lfilter(scipy_gammatone(band), sound, band_sound);
    add_powers(band_sound, sum);
  }
  const Eigen::Map<const Matrix> column(sum.data(), static_cast<Index>(sum.size()), 1);
  const Matrix out = dsp::resample_causal(column, dsp::rate_ratio({audio_rate}, {64}));
  return {out.data(), out.data() + out.size()};
}

void add(const std::string& name, double items, std::function<void()> work) {
  benchmark::RegisterBenchmark(name.c_str(), [items, work = std::move(work)](benchmark::State& state) {
    for (auto _ : state) work();
    state.SetItemsProcessed(static_cast<int64_t>(items * static_cast<double>(state.iterations())));
  })->Unit(benchmark::kMillisecond);
}

void add_envelope(const std::vector<float>& audio) {
  const auto items = static_cast<double>(audio.size());
  add("envelope of 60 s/heed", items,
      [&] { benchmark::DoNotOptimize(dsp::speech_envelope(audio, {audio_rate}, {64})); });
  add("envelope of 60 s/textbook", items, [&] { benchmark::DoNotOptimize(scipy_envelope(audio)); });
}

void add_eeg(const SampleMatrix& second) {
  dsp::EegSource source{.sampling_frequency = {static_cast<double>(eeg_rate)}};
  for (Index c = 0; c < eeg_channels; ++c) source.channels.push_back("E" + std::to_string(c));
  add("EEG 64 x 512 Hz, 10 min/heed", static_cast<double>(eeg_seconds * eeg_rate), [&second, source] {
    dsp::EegPreparer preparer({}, source);
    for (Index s = 0; s < eeg_seconds; ++s) preparer.push(second);
    benchmark::DoNotOptimize(preparer.finish());
  });
}

void add_zero_phase() {
  constexpr Index samples = eeg_seconds * 64;
  RandomStream random(3);
  Matrix eeg = Matrix::NullaryExpr(samples, eeg_channels, [&] { return random.normal(); });
  const dsp::Sections sections = dsp::butterworth_band_pass(4, {{8}, {12}}, {64});
  const auto items = static_cast<double>(samples);
  add("band-pass, zero phase/heed", items, [eeg, sections]() mutable {
    dsp::filter_zero_phase(sections, data::view(eeg));
    benchmark::DoNotOptimize(eeg.data());
  });
  std::vector<SecondOrder> cascade;
  for (const dsp::Section& s : sections) cascade.push_back({s.b0, s.b1, s.b2, s.a1, s.a2});
  Matrix by_channel = eeg.transpose();
  add("band-pass, zero phase/textbook", items, [by_channel, cascade]() mutable {
    for (Index c = 0; c < by_channel.rows(); ++c) {
      const std::span<double> channel(by_channel.row(c).data(), static_cast<std::size_t>(by_channel.cols()));
      for (int pass = 0; pass < 2; ++pass) {
        sosfilt(cascade, channel);
        std::ranges::reverse(channel);
      }
    }
    benchmark::DoNotOptimize(by_channel.data());
  });
}

}  // namespace
}  // namespace heed::bench

int main(int argc, char** argv) {
  using namespace heed::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  RatioReporter reporter("sample");
  reporter.set_goal("envelope of 60 s", 12);
  const std::vector<float> audio = speech_like();
  heed::RandomStream random(2);
  const heed::SampleMatrix second =
      heed::SampleMatrix::NullaryExpr(eeg_rate, eeg_channels, [&] { return static_cast<float>(random.normal()); });
  add_envelope(audio);
  add_eeg(second);
  add_zero_phase();
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
