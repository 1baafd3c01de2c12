// SPDX-License-Identifier: MIT
// Envelopes against the plain way: convolve with each band's formula, |.|^0.6, advance, add, resample.
#include <dsp/envelope.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/dsp_matrices.h"
#include "support/expect_error.h"

namespace heed::dsp {
namespace {

// Noise whose loudness comes and goes four times a second.
std::vector<float> speech_like(Index samples, double rate) {
  RandomStream random(11);
  std::vector<float> audio(static_cast<std::size_t>(samples));
  for (std::size_t n = 0; n < audio.size(); ++n) {
    const double loudness = 1 + std::sin(2 * std::numbers::pi * 4 * static_cast<double>(n) / rate);
    audio[n] = static_cast<float>(0.05 * loudness * random.normal());
  }
  return audio;
}

// The sum over bands at the audio's rate, from the formulas alone. Responses are followed for 60 ms.
Matrix plain_sums(const std::vector<float>& audio, Hertz rate) {
  const auto samples = static_cast<Index>(audio.size());
  const auto taps = static_cast<Index>(0.06 * rate.value);
  Matrix sums = Matrix::Zero(samples, 1);
  for (const GammatoneBand& band : gammatone_bands(rate)) {
    const auto advance = static_cast<Index>(std::llround(band.peak().value * rate.value));
    std::vector<double> response(static_cast<std::size_t>(taps));
    for (Index i = 0; i < taps; ++i) {
      response[static_cast<std::size_t>(i)] = band.response({static_cast<double>(i) / rate.value}, rate);
    }
    for (Index n = 0; n < samples; ++n) {
      double value = 0;
      for (Index i = 0; i < taps; ++i) {
        const Index place = n + advance - i;
        if (place >= 0 && place < samples) {
          value += response[static_cast<std::size_t>(i)] * static_cast<double>(audio[static_cast<std::size_t>(place)]);
        }
      }
      sums(n, 0) += std::pow(std::abs(value), 0.6);
    }
  }
  return sums;
}

Matrix column(const std::vector<double>& values) {
  return Eigen::Map<const Matrix>(values.data(), static_cast<Index>(values.size()), 1);
}

std::vector<double> in_chunks(const std::vector<float>& audio, Hertz rate, std::size_t chunk) {
  EnvelopeExtractor extractor(rate, {64});
  std::vector<double> envelope;
  for (std::size_t t = 0; t < audio.size(); t += chunk) {
    extractor.push(std::span(audio).subspan(t, std::min(chunk, audio.size() - t)), envelope);
  }
  extractor.finish(envelope);
  return envelope;
}

TEST(Envelope, EqualsThePlainWay) {
  for (const double rate : {8000.0, 2000.0}) {
    const auto audio = speech_like(3001, rate);
    const auto envelope = speech_envelope(audio, {rate}, {64});
    const Matrix expected = resample_causal(plain_sums(audio, {rate}), rate_ratio({rate}, {64}));
    // The plain responses are cut after 60 ms, where the slowest is at 4e-9 of its peak; to the power .6.
    EXPECT_LE(test::relative_error(column(envelope), expected), 1e-6) << rate;
  }
}

TEST(Envelope, GivesTheSameBitsInAnyChunks) {
  const auto audio = speech_like(4000, 8000);
  const auto expected = speech_envelope(audio, {8000}, {64});
  EXPECT_EQ(expected.size(), 32U);
  for (const std::size_t chunk : {1U, 7U, 64U, 511U, 1000U})
    EXPECT_EQ(in_chunks(audio, {8000}, chunk), expected) << chunk;
}

TEST(Envelope, PutsAClickWhereItWas) {
  std::vector<float> audio(16000);
  audio[8000] = 1;
  const auto envelope = speech_envelope(audio, {16000}, {64});
  ASSERT_EQ(envelope.size(), 64U);
  EXPECT_EQ(std::ranges::max_element(envelope) - envelope.begin(), 32);
}

TEST(Envelope, FollowsLoudnessByThePower) {
  auto audio = speech_like(4000, 8000);
  const auto before = speech_envelope(audio, {8000}, {64});
  for (float& sample : audio) sample *= -4;
  const auto after = speech_envelope(audio, {8000}, {64});
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k] / before[k], std::pow(4, 0.6), 1e-6);
}

TEST(Envelope, OfSilenceIsZeroAndOfNothingIsNothing) {
  for (const double value : speech_envelope(std::vector<float>(2000), {8000}, {64})) EXPECT_EQ(value, 0);
  EXPECT_TRUE(speech_envelope({}, {8000}, {64}).empty());
  EXPECT_EQ(speech_envelope(std::vector<float>(1, 0.5F), {44100}, {64}).size(), 1U);
}

TEST(Envelope, SaysHowLateItIs) {
  const EnvelopeExtractor extractor({44100}, {64});
  EXPECT_NEAR(extractor.alignment_delay().value, 7.24e-3, 2e-5);
  EXPECT_NEAR(extractor.delay().value, 7.24e-3 + 10.0 / 64, 2e-5);
  // A sample is there so long after its time, and not before.
  EnvelopeExtractor stream({44100}, {64});
  std::vector<double> envelope;
  const std::vector<float> silence(static_cast<std::size_t>(extractor.delay().value * 44100));
  stream.push(silence, envelope);
  EXPECT_EQ(envelope.size(), 0U);
  stream.push(std::vector<float>(2), envelope);
  EXPECT_EQ(envelope.size(), 1U);
}

TEST(Envelope, RefusesWhatIsNoSound) {
  std::vector<double> envelope;
  EnvelopeExtractor extractor({8000}, {64});
  extractor.push(std::vector<float>(10), envelope);
  const std::vector<float> broken = {0, 0, std::numeric_limits<float>::quiet_NaN()};
  test::expect_error(ErrorKind::bad_data, {"audio sample 13", "finite"}, [&] { extractor.push(broken, envelope); });
  test::expect_error(ErrorKind::invalid_argument, {"500 Hz"}, [] { EnvelopeExtractor low({500}, {64}); });
  test::expect_error(ErrorKind::unsupported, {"44100.1"}, [] { EnvelopeExtractor odd({44100.123456}, {64}); });
}

TEST(Compress, IsThePowerOfSixTenths) {
  std::vector<double> values = {1, -32, 0, 1e-10, 1e10, 0.5, -2, 3};
  const auto before = values;
  compress(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], std::pow(std::abs(before[i]), 0.6), 1e-9 * std::pow(std::abs(before[i]), 0.6));
  }
}

// Bands add up: an envelope of many is the sum of those of few, as long as the slowest is among both.
TEST(Envelope, IsTheSumOfAnyNumberOfBands) {
  const Hertz rate{8000};
  const auto audio = speech_like(4000, rate.value);
  const auto envelope_of = [&](const std::vector<GammatoneBand>& bands) {
    EnvelopeExtractor extractor(GammatoneBank(rate, bands), rate, {64});
    std::vector<double> envelope;
    extractor.push(audio, envelope);
    extractor.finish(envelope);
    return envelope;
  };
  const std::vector<GammatoneBand> paper = gammatone_bands(rate);
  EXPECT_EQ(envelope_of(paper), speech_envelope(audio, rate, {64}));
  std::vector<GammatoneBand> twice;
  for (const GammatoneBand& band : paper) twice.insert(twice.end(), 2, band);
  const auto once = envelope_of(paper);
  const auto doubled = envelope_of(twice);
  ASSERT_EQ(doubled.size(), once.size());
  const double tolerance = 1e-13 * std::ranges::max(once);
  for (std::size_t k = 0; k < once.size(); ++k) EXPECT_NEAR(doubled[k], 2 * once[k], tolerance);
}

}  // namespace
}  // namespace heed::dsp
