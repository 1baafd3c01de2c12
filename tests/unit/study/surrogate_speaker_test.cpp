// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/surrogate_speaker.h>

#include "support/expect_error.h"

namespace heed::study {
namespace {

ScoredParticipant participant() {
  ScoredParticipant one{.id = "01", .speakers = {"left", "right"}};
  ScoredTrial trial{.name = "1"};
  trial.scores.values.resize(4, 2);
  trial.scores.values << 0.5, 0.0, 0.6, 0.1, 0.2, 0.7, 0.3, 0.8;
  trial.attention.attended = {0, 0, 1, 1};
  one.trials = {trial};
  return one;
}

TEST(SurrogateSpeaker, RepeatsTheUnattendedScoresHalfATrialLater) {
  const ScoredParticipant made = with_surrogate_speaker(participant());
  EXPECT_EQ(made.speakers, (std::vector<std::string>{"left", "right", "surrogate"}));
  const Matrix& values = made.trials[0].scores.values;
  EXPECT_EQ(values.leftCols(2), participant().trials[0].scores.values);
  // Unattended: 0, 0.1 while left is attended, then 0.2, 0.3.
  EXPECT_EQ(values(0, 2), 0.2);
  EXPECT_EQ(values(1, 2), 0.3);
  EXPECT_EQ(values(2, 2), 0.0);
  EXPECT_EQ(values(3, 2), 0.1);
  EXPECT_EQ(made.trials[0].attention.attended, participant().trials[0].attention.attended);
}

TEST(SurrogateSpeaker, NeedsLabels) {
  ScoredParticipant unlabelled = participant();
  unlabelled.trials[0].attention.attended.assign(4, unknown_speaker);
  test::expect_error(ErrorKind::bad_data, {"attended"}, [&] { (void)with_surrogate_speaker(unlabelled); });
}

}  // namespace
}  // namespace heed::study
