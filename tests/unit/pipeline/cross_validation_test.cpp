// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/decode/score.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/score.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/training.h>

#include <array>
#include <stdexcept>

#include "support/decoding_cases.h"
#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

constexpr Seconds second{1};
constexpr std::array second_windows{decode::WindowLayout(second)};

DecoderChoice least_squares() { return {.kind = DecoderKind::least_squares}; }

double accuracy(const ScoredParticipant& participant) { return significance_of(participant).accuracy.value(); }

ScoredParticipant at_one_second(const ParticipantTrials& trials, const DecoderChoice& choice) {
  return cross_validate(trials, choice, second_windows).front();
}

TEST(CrossValidation, FindsThePlantedResponse) {
  const auto participant = test::make_participant("01", 3, {});
  EXPECT_GT(accuracy(at_one_second(participant, least_squares())), 0.95);
  EXPECT_GT(accuracy(at_one_second(participant, {})), 0.95);
}

TEST(CrossValidation, FollowsASwitchWithinATrial) {
  const auto participant = test::make_participant("01", 3, {.switch_at = 64 * 30});
  const auto scored = at_one_second(participant, least_squares());
  EXPECT_EQ(scored.trials[0].attention.attended.front(), 0);
  EXPECT_EQ(scored.trials[0].attention.attended.back(), 1);
  EXPECT_GT(accuracy(scored), 0.95);
}

TEST(CrossValidation, ThreeSpeakersAreTold) {
  const auto participant = test::make_participant("01", 3, {.speakers = 3});
  EXPECT_GT(accuracy(at_one_second(participant, {})), 0.9);
}

// Nothing relates EEG and sound. A decoder that has seen what it is tested on finds something all the same: the leak
// that leaving a trial out must not have, and that the bound of chance shows.
TEST(CrossValidation, WithoutARelationOnlyALeakFindsOne) {
  const test::TrialCase nothing{.samples = 64 * 90, .channels = 24, .response = 0};
  const auto participant = test::make_participant("01", 3, nothing);
  DecoderChoice choice = least_squares();
  choice.regularisation.ridge = 1e-4;
  const auto clean = significance_of(at_one_second(participant, choice));
  EXPECT_LT(*clean.accuracy, *clean.bound);

  const auto trained = train(participant, choice, second);
  const auto leaked = significance_of(score_trials(participant, trained.decoder, second_windows).front());
  EXPECT_GT(*leaked.accuracy, *leaked.bound + 0.05);
}

TEST(CrossValidation, ATrialIsScoredByADecoderOfTheOthersAlone) {
  auto participant = test::make_participant("01", 3, {});
  const auto before = at_one_second(participant, least_squares());
  // Another ending of trial 0: its own early scores, made by a decoder of trials 1 and 2, cannot change.
  participant.trials[0].eeg.bottomRows(64 * 20) *= -1;
  const auto after = at_one_second(participant, least_squares());
  // But for the rounding of the total that the trial is subtracted from.
  const Matrix change = before.trials[0].scores.values.topRows(38) - after.trials[0].scores.values.topRows(38);
  EXPECT_LT(change.cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NE(before.trials[1].scores.values, after.trials[1].scores.values) << "they are trained on trial 0";
}

TEST(CrossValidation, EndsBetweenTrialsWhereTheCallerWishes) {
  const auto participant = test::make_participant("01", 3, {});
  int calls = 0;
  (void)cross_validate(participant, least_squares(), second_windows, {.interrupt = [&] { ++calls; }});
  EXPECT_EQ(calls, std::ssize(participant.trials));
  const auto stop = [&] {
    if (--calls == 1) throw std::runtime_error("enough");
  };
  EXPECT_THROW((void)cross_validate(participant, least_squares(), second_windows, {.interrupt = stop}),
               std::runtime_error);
  EXPECT_EQ(calls, 1);
}

TEST(CrossValidation, WindowsOfAnyLengthAreThoseOfOneAlone) {
  const auto participant = test::make_participant("01", 3, {});
  const std::vector<decode::WindowLayout> lengths{Seconds{1}, Seconds{5}};
  for (const DecoderChoice& choice : {least_squares(), DecoderChoice{}}) {
    const auto together = cross_validate(participant, choice, lengths);
    for (std::size_t w = 0; w < 2; ++w) {
      const auto alone = cross_validate(participant, choice, {&lengths[w], 1}).front();
      EXPECT_EQ(together[w].trials[1].scores.values, alone.trials[1].scores.values);
      EXPECT_EQ(together[w].trials[1].scores.window, lengths[w].window);
    }
  }
}

TEST(CrossValidation, UnlabelledTrialsAreScoredAndNotLearntFrom) {
  auto participant = test::make_participant("01", 4, {});
  auto labelled = participant;
  labelled.trials.pop_back();
  labelled.runs.pop_back();
  participant.trials.back().attention.clear();
  const auto with = at_one_second(participant, least_squares());
  const auto without = at_one_second(labelled, least_squares());
  EXPECT_EQ(with.trials[1].scores.values, without.trials[1].scores.values);
  EXPECT_EQ(with.trials[3].scores.values.rows(), 60);
  EXPECT_EQ(with.trials[3].attention.attended.front(), unknown_speaker);
}

TEST(CrossValidation, MissingSamplesMakeMissingWindows) {
  auto participant = test::make_participant("01", 3, {});
  participant.trials[0].missing = {{64 * 10, 5}};
  participant.trials[0].eeg.middleRows(64 * 10, 5).setZero();
  const auto scored = at_one_second(participant, least_squares());
  EXPECT_TRUE(scored.trials[0].scores.values.row(10).hasNaN());
  EXPECT_TRUE(scored.trials[0].scores.values.row(9).hasNaN()) << "its lags reach into the gap";
  EXPECT_FALSE(scored.trials[0].scores.values.row(8).hasNaN());
  EXPECT_FALSE(scored.trials[0].scores.values.row(11).hasNaN());
}

TEST(CrossValidation, SaysWhatIsMissing) {
  auto participant = test::make_participant("07", 3, {});
  participant.trials.resize(1);
  test::expect_error(ErrorKind::bad_data, {"sub-07", "two", "trained on other data"},
                     [&] { (void)at_one_second(participant, least_squares()); });
  const auto alone = test::make_participant("07", 3, {.speakers = 1});
  test::expect_error(ErrorKind::bad_data, {"sub-07", "one speaker"},
                     [&] { (void)at_one_second(alone, least_squares()); });
  const auto brief = test::make_participant("07", 3, {.samples = 10});
  test::expect_error(ErrorKind::bad_data, {"sub-07"}, [&] { (void)at_one_second(brief, least_squares()); });
}

TEST(CrossValidation, CausalSignalsOfAnyUnitScoreAlike) {
  DecoderChoice choice = least_squares();
  choice.preprocessing.filters = FilterMode::causal;
  const auto volts = at_one_second(test::make_participant("01", 3, {.unit = 1e-6}), choice);
  const auto microvolts = at_one_second(test::make_participant("01", 3, {}), choice);
  EXPECT_LT((volts.trials[0].scores.values - microvolts.trials[0].scores.values).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace heed::pipeline
