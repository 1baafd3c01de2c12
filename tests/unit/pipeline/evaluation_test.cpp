// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/measures/evaluation.h>

#include <cmath>

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
  std::vector<EvaluatedParticipant> rows(3);
  rows[0].metrics.switch_time = 2;
  rows[2].metrics.switch_time = 4;
  const auto times = summarise(rows, &evaluate::ParticipantMetrics::switch_time);
  EXPECT_EQ(times.mean, 3.0);
  EXPECT_DOUBLE_EQ(*times.sd, std::sqrt(2.0));
  EXPECT_EQ(times.count, 2U);
}

}  // namespace
}  // namespace heed::pipeline
