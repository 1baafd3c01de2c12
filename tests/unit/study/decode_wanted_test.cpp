// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <study/cohorts/decode_wanted.h>

#include "support/decoding_cases.h"
#include "support/expect_error.h"

namespace heed::study {
namespace {

using pipeline::DecoderKind;

pipeline::PreparedParticipant prepared() {
  pipeline::PreparedParticipant result{.id = "01"};
  for (int run = 1; run <= 3; ++run) {
    const Trial trial = test::make_trial("x", {.seed = static_cast<std::uint64_t>(run), .samples = 64 * 40});
    PreparedTrial one{.eeg = trial.eeg.cast<float>()};
    for (const auto& stimulus : trial.stimuli) one.stimuli.emplace_back(stimulus.cast<float>());
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

// Of a listener who asks nobody.
const pipeline::Lender& nobody(const pipeline::DecoderChoice&, Lending) {
  throw Error(ErrorKind::bad_data, "a lender that no recipe here wants");
}

std::vector<pipeline::TrialSource> no_sources() { return {}; }

TEST(DecodeWanted, PreparesTheSignalsOnceForDecodersOfEnvelopes) {
  int calls = 0;
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::least_squares}, {{1}, {5}}},
                                         {{.decoder = DecoderKind::cca}, {{1}}}};
  const auto scores = decode_wanted(wanted, {[&](const Preprocessing&) {
                                               ++calls;
                                               return prepared();
                                             },
                                             nobody});
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(scores.size(), 2U);
  ASSERT_EQ(scores[0].lengths.size(), 2U);
  EXPECT_EQ(scores[0].lengths.at(0).type, ScoreType::correlation);
  EXPECT_EQ(scores[0].lengths.at(0).trials.at(0).scores.values.rows(), 40);
  EXPECT_EQ(scores[0].lengths.at(1).trials.at(0).scores.values.rows(), 8);
  EXPECT_EQ(scores[1].lengths.at(0).type, ScoreType::log_odds);
}

// Whoever sums up a population holds other listeners in memory; this one's signals come after it.
TEST(DecodeWanted, AsksWhoLendsBeforeItPreparesAnything) {
  const std::vector<ScoresWanted> wanted{
      {{.decoder = DecoderKind::least_squares}, {{1}}},
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::heed}, {{1}}}};
  bool is_prepared = false;
  const auto prepare = [&](const Preprocessing&) {
    is_prepared = true;
    return prepared();
  };
  test::expect_error(ErrorKind::bad_data, {"no recipe here wants"}, [&] {
    (void)decode_wanted(wanted, {prepare, nobody, no_sources, pipeline::fewest_others});
  });
  EXPECT_FALSE(is_prepared);
}

TEST(DecodeWanted, DoesWithoutWindowsThatAreTooFew) {
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::cca}, {{1}, {2}, {40}}}};
  const auto scores = decode_wanted(wanted, {[](const Preprocessing&) { return prepared(); }, nobody});
  EXPECT_EQ(scores[0].lengths.size(), 2U);
  EXPECT_TRUE(scores[0].failure.starts_with("windows of 40 s: ")) << scores[0].failure;
  EXPECT_NE(scores[0].failure.find("discriminant"), std::string::npos) << "in the decoder's words";
}

// An error that is not about the windows, such as lags that make no sense, is not taken for too few of them.
TEST(DecodeWanted, OtherErrorsAreThrown) {
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::cca, .longest_lag = {-1}}, {{1}, {2}}}};
  EXPECT_THROW((void)decode_wanted(wanted, {[](const Preprocessing&) { return prepared(); }, nobody}), Error);
}

// Attention never moved, so CSP has nothing to tell apart; the others do not suffer.
TEST(DecodeWanted, SaysWhyADecoderCannotBeLearnt) {
  const std::vector<ScoresWanted> wanted{{{.decoder = DecoderKind::csp}, {{1}}},
                                         {{.decoder = DecoderKind::least_squares}, {{1}}}};
  const auto scores = decode_wanted(wanted, {[](const Preprocessing&) { return prepared(); }, nobody});
  EXPECT_TRUE(scores[0].lengths.empty());
  EXPECT_FALSE(scores[0].failure.empty());
  EXPECT_EQ(scores[1].lengths.size(), 1U);
}

TEST(DecodeWanted, TakesTheLagsOfTheSetting) {
  EXPECT_EQ(choice_of({.longest_lag = {0.4}}).longest_lag, Seconds{0.4});
  EXPECT_EQ(choice_of({}).kind, DecoderKind::cca) << "the paper's baseline";
  EXPECT_GT(choice_of({.decoder = DecoderKind::csp}).preprocessing.high, Hertz{20}) << "rhythms";
}

TEST(DecodeWanted, PreparesTheSignalsOfEveryRecipe) {
  std::vector<Hertz> lowest;
  const std::vector<ScoresWanted> wanted{
      {{.decoder = DecoderKind::least_squares}, {{1}}},
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::ridge}, {{1}}},
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::cosine}, {{1}}}};
  const auto scores = decode_wanted(wanted, {[&](const Preprocessing& way) {
                                               lowest.push_back(way.low);
                                               return prepared();
                                             },
                                             nobody});
  EXPECT_EQ(lowest, (std::vector<Hertz>{{1}, {0.5}})) << "the first two want the same signals";
  const auto values = [&](std::size_t i) { return scores[i].lengths.at(0).trials.at(0).scores.values; };
  EXPECT_NE(values(0), values(1)) << "another ridge";
  EXPECT_NE(values(1), values(2)) << "another rule";
}

TEST(DecodeWanted, AsksOthersForRecipesWithAPopulation) {
  const std::vector<ScoresWanted> wanted{
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::heed}, {{1}}}};
  test::expect_error(ErrorKind::bad_data, {"a lender"}, [&] {
    (void)decode_wanted(wanted, {[](const Preprocessing&) { return prepared(); }, nobody, no_sources, 4});
  });
}

// As everywhere: a recipe with a population does without one where there are too few others, and says so.
TEST(DecodeWanted, DoesWithoutAPopulationOfTooFew) {
  const std::vector<ScoresWanted> wanted{
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::heed}, {{1}}},
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::onset}, {{1}}}};
  const auto scores = decode_wanted(wanted, {[](const Preprocessing&) { return prepared(); }, nobody, no_sources, 3});
  ASSERT_EQ(scores[0].lengths.size(), 1U);
  EXPECT_TRUE(scores[0].note.starts_with("decoded without a population: the cohort has 3 other listeners"))
      << scores[0].note;
  EXPECT_EQ(scores[1].note, "");
}

// From nothing: the first half minute has no scores, and labels are not looked at.
TEST(DecodeWanted, ListensFromNothingWithoutAnybody) {
  const std::vector<ScoresWanted> wanted{
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::heed, .learning = Learning::nothing}, {{1}}},
      {{.decoder = DecoderKind::least_squares, .recipe = pipeline::Recipe::heed, .learning = Learning::adaptive},
       {{1}}}};
  const auto scores = decode_wanted(wanted, {[](const Preprocessing&) { return prepared(); }, nobody, no_sources, 3});
  const Matrix& first = scores[0].lengths.at(0).trials.at(0).scores.values;
  EXPECT_TRUE(first.topRows(30).array().isNaN().all());
  EXPECT_FALSE(first.bottomRows(1).hasNaN());
  EXPECT_TRUE(scores[1].lengths.empty()) << "three others are too few to start from";
  EXPECT_NE(scores[1].failure.find("too few other listeners"), std::string::npos) << scores[1].failure;
}

TEST(DecodeWanted, CspIsForTwoSpeakers) {
  EXPECT_FALSE(decoding_obstacle({.speakers = 2, .decoder = DecoderKind::csp}));
  EXPECT_FALSE(decoding_obstacle({.speakers = 3, .decoder = DecoderKind::cca}));
  EXPECT_TRUE(decoding_obstacle({.speakers = 3, .decoder = DecoderKind::csp}));
}

}  // namespace
}  // namespace heed::study
