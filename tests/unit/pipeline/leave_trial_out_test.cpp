// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/model_fit.h>
#include <pipeline/scoring/leave_trial_out.h>
#include <pipeline/track_participant.h>

#include <array>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

constexpr std::array methods{track::Method::causal, track::Method::smooth};

ScoredParticipant listener() {
  return sim::simulate_scores({.participants = 1, .trials = 3, .trial = Seconds{300}, .seed = 3}).front();
}

TEST(TrackedByMethod, TheEmissionOfATrialIsFittedToTheOthers) {
  const ScoredParticipant participant = listener();
  const auto result = track_leaving_trials_out(participant, {}, methods);
  ASSERT_EQ(result.size(), 2U);
  ScoredParticipant others = participant;
  others.trials.erase(others.trials.begin() + 1);
  const Emission emission = fit_emission({}, {&others, 1});
  const auto plain = track_participant(participant, emission, track::SmoothTracker{hmm::Chain::sticky(2, 0.001)});
  EXPECT_EQ(result[1].tracked.trials[1].posteriors.values, plain.trials[1].posteriors.values);
  EXPECT_NE(result[1].tracked.trials[0].posteriors.values, plain.trials[0].posteriors.values);
}

TEST(TrackedByMethod, MeasuresAreOfAllTrialsAndOfEach) {
  const auto result = track_leaving_trials_out(listener(), {}, methods);
  for (const TrackedByMethod& one : result) {
    ASSERT_EQ(one.by_trial.size(), 3U);
    double windows = 0;
    for (const auto& trial : one.by_trial) windows += trial.windows;
    EXPECT_EQ(windows, one.metrics.windows);
  }
  EXPECT_EQ(result[0].method, track::Method::causal);
}

TEST(TrackedByMethod, NeedsTwoLabelledTrials) {
  ScoredParticipant participant = listener();
  participant.trials.resize(1);
  test::expect_error(ErrorKind::bad_data, {"sub-01", "two"},
                     [&] { (void)track_leaving_trials_out(participant, {}, methods); });
}

}  // namespace
}  // namespace heed::pipeline
