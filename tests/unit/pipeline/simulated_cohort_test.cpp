// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>
#include <gtest/gtest.h>
#include <heed/pipeline/score.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/cross_validation.h>
#include <array>

#include "support/expect_error.h"
#include "support/few_listeners.h"

namespace heed::pipeline {
namespace {

TEST(SimulatedCohort, IsReadyForDecoders) {
  const SimulatedCohort cohort(test::few_listeners());
  EXPECT_EQ(cohort.participants(), 2U);
  const PreparedParticipant one = cohort.prepare(1);
  EXPECT_EQ(one.id, "02");
  ASSERT_EQ(one.runs.size(), 2U);
  EXPECT_EQ(one.runs[0].channels.size(), 19U);
  EXPECT_EQ(one.runs[0].speakers, (std::vector<std::string>{"left", "right"}));
  const PreparedTrial& trial = one.runs[0].trials.at(0);
  EXPECT_EQ(trial.eeg.rows(), 64 * 40);
  EXPECT_EQ(trial.stimuli.at(1).rows(), 64 * 40);
  ASSERT_EQ(trial.attention.size(), 2U) << "a switch in the middle";
  EXPECT_EQ(trial.attention[1].samples, (SampleRange{64 * 20, 64 * 20}));
}

TEST(SimulatedCohort, TellsDecodersTheTargetsTheyAskFor) {
  const auto plain = SimulatedCohort(test::few_listeners()).prepare(0).runs[0];
  const Preprocessing how{.targets = {SpeechTarget::envelope, SpeechTarget::onset}};
  const auto both = SimulatedCohort(test::few_listeners()).prepare(0, how).runs[0];
  EXPECT_EQ(plain.targets, (std::vector<std::string>{"envelope"}));
  EXPECT_EQ(both.targets, (std::vector<std::string>{"envelope", "onset"}));
  const SampleMatrix& columns = both.trials.at(0).stimuli.at(0);
  ASSERT_EQ(columns.cols(), 2);
  const SampleMatrix& envelope = plain.trials.at(0).stimuli.at(0);
  const float scale = envelope.cwiseAbs().maxCoeff();
  EXPECT_LT((columns.col(0) - envelope).cwiseAbs().maxCoeff(), 1e-6F * scale);
  EXPECT_GT((columns.col(1) - envelope).cwiseAbs().maxCoeff(), 0.1F * scale);
}

TEST(SimulatedCohort, AParticipantIsTheSameInAnyOrderAndByAnyThread) {
  const SimulatedCohort cohort(test::few_listeners());
  std::vector<PreparedParticipant> together(2);
  (void)data::in_parallel(2, {2}, [&](std::size_t k) { together[k] = cohort.prepare(k); });
  const SimulatedCohort again(test::few_listeners());
  const PreparedParticipant alone = again.prepare(1);
  EXPECT_EQ(together[1].runs[1].trials[0].eeg, alone.runs[1].trials[0].eeg);
  EXPECT_EQ(together[1].runs[1].trials[0].stimuli, alone.runs[1].trials[0].stimuli);
}

// To the bit: what ways have in common is done once for all of them.
TEST(SimulatedCohort, IsTheSameInOneWayAsInSeveral) {
  const std::vector<Preprocessing> ways{{},
                                        {.low = {0.5}, .targets = {SpeechTarget::onset}},
                                        {.filters = FilterMode::causal},
                                        {.sampling_frequency = {32}}};
  const auto together = SimulatedCohort(test::few_listeners()).prepare(1, ways);
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const PreparedRun alone = SimulatedCohort(test::few_listeners()).prepare(1, ways[w]).runs[1];
    EXPECT_EQ(together[w].runs[1].name, alone.name);
    EXPECT_EQ(together[w].runs[1].trials[0].eeg, alone.trials[0].eeg);
    EXPECT_EQ(together[w].runs[1].trials[0].stimuli, alone.trials[0].stimuli);
  }
}

TEST(SimulatedCohort, ListenersHearTheSameAndAnswerDifferently) {
  const SimulatedCohort cohort(test::few_listeners());
  const auto first = cohort.prepare(0);
  const auto second = cohort.prepare(1);
  EXPECT_EQ(first.runs[0].trials[0].stimuli, second.runs[0].trials[0].stimuli);
  EXPECT_NE(first.runs[0].trials[0].eeg, second.runs[0].trials[0].eeg);
}

// Of single seconds of the second listener.
double decoded(double noise, Recipe recipe) {
  sim::RecordingCohortOptions options = test::few_listeners({.trial = Seconds{80}});
  options.noise = noise;
  const DecoderChoice choice = with_recipe({.kind = DecoderKind::least_squares}, recipe);
  const std::array window{decode::WindowLayout(Seconds{1})};
  const PreparedParticipant one = SimulatedCohort(options).prepare(1, choice.preprocessing);
  return significance_of(cross_validate(scaled_trials(one, choice), choice, window).front()).accuracy.value();
}

TEST(SimulatedCohort, ResponsesWithoutNoiseAreDecoded) {
  EXPECT_GT(decoded(0.001, Recipe::paper), 0.95);
  EXPECT_GT(decoded(0.001, Recipe::onset), 0.95);
  EXPECT_GT(decoded(0.02, Recipe::onset), 0.9) << "brains answer to onsets";
}

TEST(SimulatedCohort, RefusesOptionsThatMakeNoSense) {
  sim::RecordingCohortOptions options = test::few_listeners();
  options.trials = 0;
  test::expect_error(ErrorKind::invalid_argument, {"trial"}, [&] { (void)SimulatedCohort(options); });
}

}  // namespace
}  // namespace heed::pipeline
