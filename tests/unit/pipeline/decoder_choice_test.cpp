// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/pipeline/decoding/decoder_choice.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

TEST(DecoderChoice, ThePapersLagsAreTheDefault) {
  const auto cca = training_options({}, Seconds{1});
  EXPECT_EQ(cca.lags.eeg, (LagRange{0, 16}));
  EXPECT_EQ(cca.lags.stimulus, (LagRange{-16, 0}));
  EXPECT_EQ(cca.pairs, 10);
  EXPECT_EQ(cca.regularisation.ridge, 0.1);
  EXPECT_FALSE(cca.standardise);
  const auto ls = training_options({.kind = DecoderKind::least_squares}, Seconds{1});
  EXPECT_EQ(ls.lags.stimulus, (LagRange{0, 0}));
}

TEST(DecoderChoice, CausalSignalsAreStandardisedByTheDecoder) {
  EXPECT_TRUE(training_options({.preprocessing = {.filters = FilterMode::causal}}, Seconds{1}).standardise);
}

TEST(DecoderChoice, LagsFollowTheRate) {
  const DecoderChoice choice{.kind = DecoderKind::least_squares,
                             .preprocessing = {.sampling_frequency = Hertz{32}},
                             .first_lag = Seconds{0.0625},
                             .longest_lag = Seconds{0.5}};
  EXPECT_EQ(training_options(choice, Seconds{1}).lags.eeg, (LagRange{2, 16}));
}

TEST(DecoderChoice, RefusesWhatMakesNoDecoder) {
  const auto refuse = [](const DecoderChoice& choice) {
    test::expect_error(ErrorKind::invalid_argument, {"usual"}, [&] { (void)training_options(choice, Seconds{1}); });
  };
  refuse({.longest_lag = Seconds{-0.1}});
  refuse({.longest_lag = Seconds{11}});
  refuse({.first_lag = Seconds{0.3}, .longest_lag = Seconds{0.2}});
  refuse({.pairs = 0});
  refuse({.rule = {.measure = WindowMeasure::cosine, .shrinkage = -1}});
  refuse({.rule = {.measure = WindowMeasure::cosine, .memory = Seconds{0}}});
  for (const double rate : {0.0, -64.0, 1e308, std::numeric_limits<double>::infinity(), std::nan("")}) {
    refuse({.preprocessing = {.sampling_frequency = Hertz{rate}}});
  }
}

TEST(DecoderChoice, DecodersKeepTheRuleOfTheirScores) {
  EXPECT_EQ(training_options({}, Seconds{1}).rule, ScoreRule{});
  const ScoreRule live{.measure = WindowMeasure::cosine, .memory = Seconds{60}};
  EXPECT_EQ(training_options({.rule = live}, Seconds{1}).rule, live);
}

TEST(DecoderChoice, OnlyCspHasABandOfItsOwn) {
  EXPECT_EQ(signals_for({}).high, Hertz{9});
  const Preprocessing rhythms = signals_for({.kind = DecoderKind::csp});
  EXPECT_EQ(rhythms.low, Hertz{0.5});
  EXPECT_EQ(rhythms.high, Hertz{31});
  EXPECT_LT(signals_for({.kind = DecoderKind::csp, .preprocessing = {.sampling_frequency = Hertz{40}}}).high,
            Hertz{20});
}

TEST(DecoderChoice, OnlyCspLooksAtNoTarget) {
  const Preprocessing onsets{.targets = {SpeechTarget::onset}};
  EXPECT_EQ(signals_for({.kind = DecoderKind::cca, .preprocessing = onsets}).targets, onsets.targets);
  EXPECT_EQ(signals_for({.kind = DecoderKind::csp, .preprocessing = onsets}).targets, Preprocessing{}.targets);
}

TEST(DecoderChoice, NamesAreThoseOfFiles) {
  EXPECT_EQ(name(DecoderKind::least_squares), "ls");
  EXPECT_EQ(name(DecoderKind::cca), "cca");
  EXPECT_EQ(name(DecoderKind::csp), "csp");
}

}  // namespace
}  // namespace heed::pipeline
