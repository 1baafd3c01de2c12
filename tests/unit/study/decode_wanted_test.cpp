// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/decode_wanted.h>

#include "support/decoding_cases.h"

namespace heed::study {
namespace {

using pipeline::DecoderKind;

pipeline::PreparedParticipant prepared() {
  pipeline::PreparedParticipant result{.id = "01"};
  for (int run = 1; run <= 3; ++run) {
    const Trial trial = test::make_trial("x", {.seed = static_cast<std::uint64_t>(run), .samples = 64 * 40});
    PreparedTrial one{.eeg = trial.eeg.cast<float>()};
    for (const auto& stimulus : trial.stimuli) one.stimuli.push_back(stimulus.cast<float>());
    one.attention = trial.attention;
    PreparedRun made{.name = "run-" + std::to_string(run),
                     .sampling_frequency = trial.sampling_frequency,
                     .channels = trial.channels};
    made.speakers = trial.speakers;
    made.trials = {one};
    result.runs.push_back(made);
  }
  return result;
}

TEST(DecodeWanted, PreparesTheSignalsOnceForDecodersOfEnvelopes) {
  int calls = 0;
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::least_squares}, {{1}, {5}}},
                                         {{.decoder = DecoderKind::cca}, {{1}}}};
  const auto scores = decode_wanted(wanted, [&](const pipeline::DecoderChoice&) {
    ++calls;
    return prepared();
  });
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(scores.size(), 2U);
  ASSERT_EQ(scores[0].lengths.size(), 2U);
  EXPECT_EQ(scores[0].lengths.at(0).type, ScoreType::correlation);
  EXPECT_EQ(scores[0].lengths.at(0).trials.at(0).scores.values.rows(), 40);
  EXPECT_EQ(scores[0].lengths.at(1).trials.at(0).scores.values.rows(), 8);
  EXPECT_EQ(scores[1].lengths.at(0).type, ScoreType::log_odds);
}

TEST(DecodeWanted, DoesWithoutWindowsThatAreTooFew) {
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::cca}, {{1}, {2}, {40}}}};
  const auto scores = decode_wanted(wanted, [](const pipeline::DecoderChoice&) { return prepared(); });
  EXPECT_EQ(scores[0].lengths.size(), 2U);
  EXPECT_FALSE(scores[0].failure.empty());
}

// Attention never moved, so CSP has nothing to tell apart; the others do not suffer.
TEST(DecodeWanted, SaysWhyADecoderCannotBeLearnt) {
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::csp}, {{1}}},
                                         {{.decoder = DecoderKind::least_squares}, {{1}}}};
  const auto scores = decode_wanted(wanted, [](const pipeline::DecoderChoice&) { return prepared(); });
  EXPECT_TRUE(scores[0].lengths.empty());
  EXPECT_FALSE(scores[0].failure.empty());
  EXPECT_EQ(scores[1].lengths.size(), 1U);
}

TEST(DecodeWanted, TakesTheLagsOfTheSetting) {
  EXPECT_EQ(choice_of({.longest_lag = {0.4}}).longest_lag, Seconds{0.4});
  EXPECT_EQ(choice_of({}).kind, DecoderKind::cca) << "the paper's baseline";
  EXPECT_GT(choice_of({.decoder = DecoderKind::csp}).preprocessing.high, Hertz{20}) << "rhythms";
}

TEST(DecodeWanted, CspIsForTwoSpeakers) {
  EXPECT_FALSE(csp_obstacle({.speakers = 2, .decoder = DecoderKind::csp}));
  EXPECT_FALSE(csp_obstacle({.speakers = 3, .decoder = DecoderKind::cca}));
  EXPECT_TRUE(csp_obstacle({.speakers = 3, .decoder = DecoderKind::csp}));
}

}  // namespace
}  // namespace heed::study
