// SPDX-License-Identifier: MIT
// What state_space_test.cpp compares with another program, side by side and far from where it began.
#include <gtest/gtest.h>
#include <heed/track/state_space.h>
#include <track/sliding_em.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "unit/track/state_space_golden.h"

namespace heed::track {
namespace {

Scores golden_scores(Seconds window) {
  Scores scores{Matrix(std::ssize(golden::scores) / 2, 2), window};
  std::ranges::copy(golden::scores, scores.values.data());
  return scores;
}

Tracked run(const Scores& scores, const StateSpaceOptions& options = {}) {
  return StateSpaceTracker{options}.track({scores, LogLikelihoods{}});
}

TEST(SlidingEm, KnowsTheLogisticFunction) {
  for (double z = -40; z <= 40; z += 0.37) {
    const double exact = 1 / (1 + std::exp(-z));
    EXPECT_NEAR(logistic(z) / exact, 1, 1e-14) << z;
  }
  EXPECT_EQ(logistic(0), 0.5);
  EXPECT_EQ(logistic(1e300), 1);
  EXPECT_EQ(logistic(-1e300), 0);
}

// Trials of different lengths and with windows missing, in more than one group, one of another hop.
TEST(SlidingEm, GivesTheBitsOfTrialsThatAreTrackedAlone) {
  std::vector<Scores> trials;
  for (Index k = 0; k < 11; ++k) {
    Scores scores = golden_scores(Seconds{k == 9 ? 0.5 : 1.0});
    scores.values = scores.values.bottomRows(60 - (k * 5)).eval();
    if (k % 3 == 1) scores.values.row(k / 2) << NAN, 0.1;
    trials.push_back(scores);
  }
  std::vector<Evidence> evidence;
  const LogLikelihoods none;
  for (const Scores& one : trials) evidence.push_back({one, none});
  const auto together = StateSpaceTracker{}.track(evidence);
  ASSERT_EQ(together.size(), trials.size());
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Tracked alone = run(trials[k]);
    EXPECT_EQ(together[k].posteriors.values, alone.posteriors.values) << "trial " << k;
    EXPECT_EQ(together[k].posteriors.held, alone.posteriors.held);
    EXPECT_EQ(together[k].decisions.states, alone.decisions.states);
  }
}

// Scores that contradict each other and drifts that are large send it far from where the last step was.
TEST(SlidingEm, FindsTheModeWhereverItIs) {
  Scores scores{Matrix(80, 2), Seconds{1}};
  for (Index t = 0; t < 80; ++t) scores.values.row(t) << (t % 7 < 3 ? 1.0 : 0.0), (t % 5 < 2 ? 1.0 : 0.0);
  const Tracked tracked = run(scores, {.drift = 30, .drift_scale = 50});
  const Tracked longer = run(scores, {.newton_steps = 1000, .drift = 30, .drift_scale = 50});
  EXPECT_TRUE(tracked.posteriors.values.allFinite());
  EXPECT_LT((tracked.posteriors.values - longer.posteriors.values).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace heed::track
