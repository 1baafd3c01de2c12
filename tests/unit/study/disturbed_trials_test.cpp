// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/disturbed_trials.h>

#include "support/decoding_cases.h"

namespace heed::study {
namespace {

// Two trials of a minute: the middle is the last third of the first and the first third of the second.
pipeline::ParticipantTrials listening() {
  pipeline::ParticipantTrials one{.id = "01"};
  one.trials = {test::make_trial("a", {.seed = 1}), test::make_trial("b", {.seed = 2})};
  return one;
}

constexpr Index minute = 64 * 60;
constexpr Index third = 2 * minute / 3;

TEST(DisturbedTrials, NothingBefallsThem) {
  const auto before = listening();
  EXPECT_EQ(disturbed(before, Disturbance::none).trials[1].eeg, before.trials[1].eeg);
}

TEST(DisturbedTrials, ACapSlipsFromTheMiddleOn) {
  const auto before = listening();
  const auto after = disturbed(before, Disturbance::slipped_cap);
  EXPECT_EQ(after.trials[0].eeg.topRows(third), before.trials[0].eeg.topRows(third));
  EXPECT_EQ(after.trials[0].eeg.col(0).tail(minute - third), before.trials[0].eeg.col(1).tail(minute - third));
  EXPECT_EQ(after.trials[1].eeg.col(3), before.trials[1].eeg.col(0));
  EXPECT_EQ(after.trials[1].attention, before.trials[1].attention);
}

TEST(DisturbedTrials, SoundsAreSwappedInTheMiddle) {
  const auto before = listening();
  const auto after = disturbed(before, Disturbance::swapped_sounds);
  EXPECT_EQ(after.trials[0].stimuli[0].topRows(third), before.trials[0].stimuli[0].topRows(third));
  EXPECT_EQ(after.trials[0].stimuli[0].bottomRows(minute - third),
            before.trials[0].stimuli[1].bottomRows(minute - third));
  EXPECT_EQ(after.trials[1].stimuli[1].topRows(2 * third - minute),
            before.trials[1].stimuli[0].topRows(2 * third - minute));
  EXPECT_EQ(after.trials[1].stimuli[1].bottomRows(10), before.trials[1].stimuli[1].bottomRows(10));
}

TEST(DisturbedTrials, NobodyListensInTheMiddleAndNobodyKnowsWhom) {
  const auto before = listening();
  const auto after = disturbed(before, Disturbance::nobody);
  const Index rest = minute - third;
  EXPECT_EQ(after.trials[0].eeg.row(third), before.trials[0].eeg.row(minute - 1)) << "backwards";
  ASSERT_EQ(after.trials[0].attention.size(), 1U);
  EXPECT_EQ(after.trials[0].attention[0].samples, (SampleRange{0, third}));
  ASSERT_EQ(after.trials[1].attention.size(), 1U);
  EXPECT_EQ(after.trials[1].attention[0].samples, (SampleRange{rest, minute - rest}));
}

TEST(DisturbedTrials, TheEegIsUpsideDown) {
  const auto before = listening();
  EXPECT_EQ(disturbed(before, Disturbance::inverted_cap).trials[0].eeg, -before.trials[0].eeg);
}

}  // namespace
}  // namespace heed::study
