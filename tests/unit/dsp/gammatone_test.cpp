// SPDX-License-Identifier: MIT
// The filter bank against its own formula, sample by sample, to 1e-9 of each response's peak.
#include <dsp/gammatone.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/allocation_counter.h"
#include "support/dsp_matrices.h"
#include "support/expect_error.h"

namespace heed::dsp {
namespace {

// Samples x lanes.
Matrix filtered(const std::vector<float>& audio, GammatoneBank bank, std::size_t chunk) {
  Matrix out(static_cast<Index>(audio.size()), bank.lanes());
  for (std::size_t t = 0; t < audio.size(); t += chunk) {
    const auto part = std::span(audio).subspan(t, std::min(chunk, audio.size() - t));
    bank.filter(part, out.data() + static_cast<Index>(t) * bank.lanes());
  }
  return out;
}

Matrix filtered(const std::vector<float>& audio, Hertz rate, std::size_t chunk) {
  return filtered(audio, GammatoneBank(rate), chunk);
}

std::vector<float> noise(std::size_t samples) {
  RandomStream random(3);
  std::vector<float> audio(samples);
  for (float& sample : audio) sample = static_cast<float>(0.1 * random.normal());
  return audio;
}

TEST(GammatoneBands, AreThoseOfThePaper) {
  const std::vector<double> centres = {178.7,  250.3,  334.5,  433.5,  549.9,  686.8,  847.7, 1036.9,
                                       1259.3, 1520.9, 1828.4, 2190.0, 2615.1, 3114.9, 3702.6};
  const auto bands = gammatone_bands();
  ASSERT_EQ(bands.size(), centres.size());
  for (std::size_t b = 0; b < bands.size(); ++b) {
    EXPECT_NEAR(bands[b].centre.value, centres[b], 0.05);
    EXPECT_NEAR(bands[b].bandwidth.value, 1.5 * (24.7 + bands[b].centre.value / 9.265), 1e-12);
  }
  EXPECT_NEAR(bands.front().peak().value, 7.24e-3, 5e-6);
  EXPECT_NEAR(bands.back().peak().value, 0.75e-3, 5e-6);
  const auto erb = [](Hertz f) { return 9.2645 * std::log(1 + 0.00437 * f.value); };
  for (std::size_t b = 1; b < bands.size(); ++b)
    EXPECT_NEAR(erb(bands[b].centre) - erb(bands[b - 1].centre), 1.5, 1e-12);
  EXPECT_NEAR(erb(bands.front().centre) - erb({150}), erb({4000}) - erb(bands.back().centre), 1e-12);
}

TEST(GammatoneBands, AboveHalfTheRateAreLeftOut) {
  EXPECT_EQ(gammatone_bands({44100}).size(), 15U);
  EXPECT_EQ(gammatone_bands({8000}).size(), 15U);
  EXPECT_EQ(gammatone_bands({4000}).size(), 11U);
  EXPECT_EQ(gammatone_bands({1000}).size(), 4U);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double rate : {999.0, 0.0, nan}) {
    test::expect_error(ErrorKind::invalid_argument, {"1000 Hz", "envelope table"}, [&] { GammatoneBank bank({rate}); });
  }
}

TEST(GammatoneBank, HasTheResponseOfTheFormula) {
  for (const double rate : {44100.0, 8000.0, 1000.0}) {
    std::vector<float> impulse(static_cast<std::size_t>(rate * 0.06), 0.0F);
    impulse[0] = 1;
    const Matrix out = filtered(impulse, {rate}, impulse.size());
    const auto bands = gammatone_bands({rate});
    for (std::size_t b = 0; b < bands.size(); ++b) {
      double worst = 0;
      double peak = 0;
      for (Index n = 0; n < out.rows(); ++n) {
        const double expected = bands[b].response({static_cast<double>(n) / rate}, {rate});
        worst = std::max(worst, std::abs(out(n, static_cast<Index>(b)) - expected));
        peak = std::max(peak, std::abs(expected));
      }
      EXPECT_LE(worst, 1e-9 * peak) << rate << " Hz, band " << b;
    }
    EXPECT_EQ(out.rightCols(out.cols() - static_cast<Index>(bands.size())).cwiseAbs().sum(), 0);
  }
}

TEST(GammatoneBank, PassesItsCentresWithUnitGain) {
  const auto bands = gammatone_bands();
  for (const std::size_t b : {std::size_t{0}, std::size_t{7}, std::size_t{14}}) {
    std::vector<float> tone(8820);
    for (std::size_t n = 0; n < tone.size(); ++n) {
      const double cycles = bands[b].centre.value * static_cast<double>(n) / 44100;
      tone[n] = static_cast<float>(std::sin(2 * std::numbers::pi * cycles));
    }
    const Matrix out = filtered(tone, {44100}, 1000);
    EXPECT_NEAR(out.col(static_cast<Index>(b)).tail(4410).cwiseAbs().maxCoeff(), 1, 0.02) << b;
  }
}

TEST(GammatoneBank, GivesTheSameBitsInAnyChunks) {
  const auto audio = noise(2000);
  const Matrix expected = filtered(audio, {16000}, audio.size());
  for (const std::size_t chunk : {1U, 7U, 64U, 1000U}) EXPECT_EQ(filtered(audio, {16000}, chunk), expected) << chunk;
}

// Numbers below the smallest normal one would make silence a hundred times slower.
TEST(GammatoneBank, ComesToRestInSilence) {
  auto audio = noise(500);
  audio.resize(60000);
  const Matrix out = filtered(audio, {16000}, 4096);
  for (Index n = 0; n < out.rows(); ++n) {
    for (Index b = 0; b < out.cols(); ++b) {
      ASSERT_TRUE(out(n, b) == 0 || std::abs(out(n, b)) > 1e-200) << n << " " << out(n, b);
    }
  }
  EXPECT_EQ(out.row(out.rows() - 1).cwiseAbs().sum(), 0);
  EXPECT_GT(out.row(1000).cwiseAbs().sum(), 0);
}

TEST(GammatoneBank, NeverAllocatesWhileItRuns) {
  GammatoneBank bank({44100});
  const auto audio = noise(1000);
  std::vector<double> out(16 * audio.size());
  const test::AllocationCount allocations;
  bank.filter(audio, out.data());
  EXPECT_EQ(allocations.so_far(), 0U);
}

// Sixteen was all there was room for.
TEST(GammatoneBank, HoldsAnyNumberOfBands) {
  const auto audio = noise(3000);
  const Hertz rate{16000};
  for (const std::size_t count : {1U, 8U, 16U, 17U, 40U}) {
    std::vector<GammatoneBand> bands;
    for (std::size_t b = 0; b < count; ++b) {
      const double centre = 100 + (150 * static_cast<double>(b));
      bands.push_back({{centre}, {24.7 + (centre / 9.265)}});
    }
    const Matrix together = filtered(audio, GammatoneBank(rate, bands), 1000);
    ASSERT_GE(together.cols(), static_cast<Index>(count));
    for (std::size_t b = 0; b < count; ++b) {
      const Matrix alone = filtered(audio, GammatoneBank(rate, std::vector{bands[b]}), 1000);
      EXPECT_EQ(together.col(static_cast<Index>(b)), alone.col(0)) << "band " << b << " of " << count;
    }
  }
  test::expect_error(ErrorKind::invalid_argument, {"at least one band"},
                     [&] { GammatoneBank(rate, std::vector<GammatoneBand>{}); });
}

}  // namespace
}  // namespace heed::dsp
