// SPDX-License-Identifier: MIT
// Planted delays must be found, and nothing where there is nothing.
#include <heed/decode/alignment.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <heed/decode/least_squares.h>
#include <Eigen/Cholesky>

#include <array>
#include <cmath>

namespace heed::decode {
namespace {

// Speech-like slow envelopes; a response of two bumps, at 90 and 190 ms, seen by each channel in its own strength.
Trial responding(Seconds offset, double strength, std::uint64_t seed) {
  test::Draws draws(seed);
  constexpr Index samples = 90 * 64;
  const auto first = static_cast<Index>(std::floor((offset.value - 0.05) * 64));
  Trial trial = test::planted_trial({.samples = samples, .channels = 6, .strength = 0, .seed = seed});
  for (Matrix& stimulus : trial.stimuli) {
    Matrix smooth = stimulus;
    for (Index t = 2; t < samples; ++t) smooth(t, 0) = 1.3 * smooth(t - 1, 0) - 0.5 * smooth(t - 2, 0) + stimulus(t, 0);
    stimulus = smooth.array() - smooth.mean();
  }
  for (Index t = 0; t < samples; ++t) {
    for (Index lag = first; lag < first + 26; ++lag) {
      const double delay = static_cast<double>(lag) / 64 - offset.value;
      const double bumps =
          std::exp(-std::pow((delay - 0.09) / 0.03, 2)) - std::exp(-std::pow((delay - 0.19) / 0.04, 2));
      if (std::abs(bumps) < 1e-6 || t - lag < 0 || t - lag >= samples) continue;
      for (Index c = 0; c < 6; ++c) {
        trial.eeg(t, c) += strength * (1 + 0.2 * static_cast<double>(c)) * bumps * trial.stimuli[0](t - lag, 0);
      }
    }
  }
  return trial;
}

Alignment checked(const Trial& trial) {
  const Trial* one = &trial;
  return check_alignment({&one, 1});
}

TEST(Alignment, FindsPlantedOffsetsWithin50Milliseconds) {
  for (const double offset : {-0.6, -0.3, 0.4, 0.9}) {
    const Alignment found = checked(responding({offset}, 0.1, 3));
    EXPECT_EQ(found.verdict, AlignmentVerdict::likely_offset) << offset;
    EXPECT_NEAR(found.offset.value, offset, 0.05);
    EXPECT_NE(describe(found).find(offset > 0 ? "ms late" : "ms early"), std::string::npos) << describe(found);
  }
}

TEST(Alignment, IsContentWithAnAlignedRecording) {
  const Alignment found = checked(responding({0}, 0.1, 4));
  EXPECT_EQ(found.verdict, AlignmentVerdict::aligned);
  EXPECT_GT(found.strength, 8);
  EXPECT_EQ(found.offset, Seconds{0});
  EXPECT_EQ(describe(found).rfind("aligned", 0), 0U);
  ASSERT_EQ(found.curve.delays.size(), 161U);
  EXPECT_EQ(found.curve.delays.front(), Seconds{-1});
  EXPECT_EQ(found.curve.delays.back(), Seconds{1.5});
}

// The same by its definition: the best mixture of channels, found by a solver of another library.
TEST(Alignment, CurveIsTheMultipleCorrelationAtEachDelay) {
  const Trial trial = responding({0}, 0.1, 5);
  const Alignment found = checked(trial);
  const std::size_t at = 64 + 10;  // 10 samples after
  const Index rows = trial.samples() - 10;
  const Eigen::VectorXd cross = trial.eeg.bottomRows(rows).transpose() * trial.stimuli[0].col(0).head(rows);
  Eigen::MatrixXd covariance = trial.eeg.transpose() * trial.eeg;
  covariance.diagonal().array() += 0.01 * covariance.trace() / 6;
  const double explained = cross.dot(covariance.ldlt().solve(cross)) / trial.stimuli[0].squaredNorm();
  EXPECT_NEAR(found.curve.values[at], std::sqrt(explained), 1e-12);
}

TEST(Alignment, SaysNothingWithoutAResponse) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Alignment found = checked(responding({0}, 0, seed));
    EXPECT_NE(found.verdict, AlignmentVerdict::likely_offset) << seed << ": " << describe(found);
  }
  const Alignment none = checked(responding({0}, 0, 2));
  EXPECT_EQ(none.verdict, AlignmentVerdict::unclear);
  EXPECT_EQ(describe(none).rfind("no clear peak", 0), 0U);
}

TEST(Alignment, ADecoderOfOtherDataShowsTheShift) {
  const DecoderLags lags = least_squares_lags(Hertz{64});
  const Trial good = responding({0}, 0.1, 6);
  const TrialStatistics statistics = trial_statistics(good, lags);
  const TrainingTrial one{&good, &statistics};
  const Decoder decoder = train_least_squares({&one, 1}, {.lags = lags});
  for (const double offset : {-0.4, 0.0, 0.5}) {
    const Trial trial = responding({offset}, 0.1, 7);
    const Trial* other = &trial;
    const Alignment found = score_against_shift(decoder, {&other, 1});
    EXPECT_EQ(found.verdict, offset == 0 ? AlignmentVerdict::aligned : AlignmentVerdict::likely_offset);
    EXPECT_NEAR(found.peak.value, offset, 0.02);
    EXPECT_NEAR(found.offset.value, offset, 0.02);
  }
}

TEST(Alignment, RefusesNothingAndTrialsThatDiffer) {
  test::expect_error(ErrorKind::bad_data, {"no trial"}, [] { (void)check_alignment({}); });
  const Trial a = test::planted_trial();
  const Trial b = test::planted_trial({.channels = 3});
  const std::array<const Trial*, 2> both = {&a, &b};
  test::expect_error(ErrorKind::bad_data, {"rate or channels"}, [&] { (void)check_alignment(both); });
  test::expect_error(ErrorKind::invalid_argument, {"backwards"}, [&] {
    (void)check_alignment(std::span(both).first(1), {Seconds{1}, Seconds{0}});
  });
}

}  // namespace
}  // namespace heed::decode
