// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/evidence_scale.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/evaluate.h>
#include <heed/sim/score_cohort.h>

#include <cmath>
#include <vector>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

// Two speakers, a switch after the third of six windows, noticed one window late.
TrackedTrial switching_trial() {
  TrackedTrial trial;
  trial.posteriors.values.resize(6, 2);
  trial.posteriors.values << .9, .1, .8, .2, .9, .1, .6, .4, .2, .8, .1, .9;
  trial.decisions.states = {0, 0, 0, 0, 1, 1};
  trial.attention.attended = {0, 0, 0, 1, 1, 1};
  return trial;
}

TrackedParticipant participant_with(TrackedTrial trial) {
  return {.id = "07", .speakers = {"left", "right"}, .look_ahead = {}, .trials = {std::move(trial)}};
}

EvaluatedParticipant evaluate_participant(const TrackedParticipant& participant) {
  return evaluate_posteriors({.participants = {&participant, 1}}).participants.front();
}

TEST(Evaluation, MeasuresAParticipant) {
  const EvaluatedParticipant result = evaluate_participant(participant_with(switching_trial()));
  EXPECT_EQ(result.id, "07");
  EXPECT_EQ(result.speakers, 2U);
  EXPECT_EQ(result.metrics.accuracy, 1.0);
  EXPECT_EQ(result.metrics.switch_time, 1.0);
  EXPECT_DOUBLE_EQ(*result.metrics.whole_accuracy, 5.0 / 6);
  EXPECT_NEAR(*result.calibration.brier(), (.01 + .04 + .01 + .36 + .04 + .01) / 6, 1e-15);
  EXPECT_EQ(result.chance_bound(), evaluate::Chance::make(2, 6).bound());
}

TEST(Evaluation, DecisionsAloneHaveNoCalibration) {
  TrackedTrial trial = switching_trial();
  trial.posteriors.values.resize(0, 0);
  const EvaluatedParticipant result = evaluate_participant(participant_with(trial));
  EXPECT_EQ(result.metrics.switch_time, 1.0);
  EXPECT_FALSE(result.calibration.brier());
  EXPECT_EQ(result.calibration.windows(), 0);
}

TEST(Evaluation, NeedsALabel) {
  TrackedTrial trial = switching_trial();
  trial.attention.attended.assign(6, unknown_speaker);
  test::expect_error(ErrorKind::bad_data, {"participant 07 has no attended speaker", "add the column 'attended'"},
                     [&] { (void)evaluate_participant(participant_with(trial)); });
}

TEST(Evaluation, SummarisesWhoHasTheMeasure) {
  std::vector<TrackedParticipant> participants(3, participant_with(switching_trial()));
  participants[0].trials[0].attention.attended.assign(6, 0);  // no switch, no time
  participants[1].trials[0].decisions.states = {0, 0, 0, 0, 0, 1};
  const Evaluation evaluation = evaluate_posteriors({.participants = participants});
  EXPECT_EQ(evaluation.switch_time.count, 2U);
  EXPECT_EQ(evaluation.switch_time.mean, 1.5);
  EXPECT_DOUBLE_EQ(*evaluation.switch_time.sd, std::sqrt(0.5));
}

TEST(Evaluation, SaysWherePosteriorsClaimTooMuch) {
  TrackedTrial trial = switching_trial();
  trial.posteriors.values << 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0;
  const Evaluation evaluation = evaluate_posteriors({.participants = std::vector{participant_with(trial)}});
  ASSERT_EQ(evaluation.notes.size(), 1U);
  EXPECT_EQ(evaluation.notes[0].kind, NoteKind::doubtful);
  EXPECT_NE(evaluation.notes[0].text.find("over-confident: right 50 points"), std::string::npos)
      << evaluation.notes[0].text;
}

TEST(Evaluation, TellsFromTheScoresWhetherWindowsAreIndependent) {
  const std::vector tracked{participant_with(switching_trial()), participant_with(switching_trial())};
  auto scores = sim::simulate_scores({.participants = 1, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  test::expect_error(ErrorKind::bad_data, {"scores of participant 01", "no posteriors"}, [&] {
    (void)evaluate_posteriors({tracked, scores});
  });
  const Evaluation evaluation = evaluate_posteriors({std::span(tracked).first(1), scores});
  EXPECT_EQ(evaluation.lag_correlations, emission::lag_correlations(scores));
  ASSERT_EQ(evaluation.notes.size(), 1U);
  EXPECT_NE(evaluation.notes[0].text.find("not independent"), std::string::npos) << evaluation.notes[0].text;
  for (auto& trial : scores[0].trials) trial.attention.attended.assign(600, unknown_speaker);
  test::expect_error(ErrorKind::bad_data, {"no two neighbouring windows"}, [&] {
    (void)evaluate_posteriors({std::span(tracked).first(1), scores});
  });
}

// Two speakers; the attended one, left, wins the first `right` of `windows` windows.
ScoredParticipant listener(Index windows, Index right, Seconds length) {
  ScoredTrial trial;
  trial.scores.window = trial.scores.hop = length;
  trial.scores.values.resize(windows, 2);
  for (Index t = 0; t < windows; ++t) trial.scores.values.row(t) << (t < right ? .2 : 0.), .1;
  trial.attention.attended.assign(static_cast<std::size_t>(windows), 0);
  return {.id = "03", .speakers = {"left", "right"}, .type = {}, .trials = {trial}, .features = {}};
}

MesdResult mesd_of(const std::vector<std::vector<ScoredParticipant>>& participants) {
  std::vector<io::WindowedScores> scores;
  for (const auto& lengths : participants) scores.push_back({"03", lengths});
  return measure_mesd({.participants = scores});
}

TEST(SwitchDurations, AreThoseOfTheCurveThatWasCounted) {
  const std::vector<ScoredParticipant> lengths{listener(40, 26, Seconds{1}), listener(20, 16, Seconds{5})};
  const MesdResult all = mesd_of({lengths});
  const SwitchDurations& result = all.participants.front();
  ASSERT_EQ(result.curve.size(), 2U);
  EXPECT_EQ(result.curve[0].window.value, 1);
  EXPECT_EQ(result.curve[0].counts.accuracy(), .65);
  EXPECT_EQ(result.curve[1].counts.accuracy(), .8);
  EXPECT_EQ(result.curve[1].chance_bound, evaluate::Chance::make(2, 20).bound());
  const std::vector<evaluate::CurvePoint> curve{{Seconds{1}, .65}, {Seconds{5}, .8}};
  ASSERT_TRUE(result.mesd);
  EXPECT_EQ(result.mesd->duration, evaluate::minimal_expected_switch_duration(curve).duration);
  EXPECT_TRUE(all.notes.empty());
  EXPECT_EQ(all.mesd.mean, result.mesd->duration.value);
}

TEST(SwitchDurations, SayWhyThereIsNone) {
  const std::vector<ScoredParticipant> guesser{listener(40, 18, Seconds{1})};
  const std::vector<ScoredParticipant> other{listener(40, 30, Seconds{1})};
  const MesdResult result = mesd_of({guesser, other});
  EXPECT_FALSE(result.participants[0].mesd);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0].subject, "03");
  EXPECT_EQ(result.mesd.count, 1U);
  test::expect_error(ErrorKind::bad_data, {"participant 03: "}, [&] { (void)mesd_of({guesser}); });
}

TEST(SwitchDurations, NeedLabels) {
  ScoredParticipant unlabelled = listener(10, 8, Seconds{2});
  unlabelled.trials.front().attention.attended.assign(10, unknown_speaker);
  test::expect_error(ErrorKind::bad_data, {"participant 03, windows of 2 s: no attended speaker"},
                     [&] { (void)mesd_of({{unlabelled}}); });
  test::expect_error(ErrorKind::invalid_argument, {"no scores"}, [] { (void)mesd_of({}); });
}

}  // namespace
}  // namespace heed::pipeline
