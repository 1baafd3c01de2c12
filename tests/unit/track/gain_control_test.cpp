// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/evaluate/mesd.h>
#include <heed/track/rivals.h>

#include <cmath>

namespace heed::track {
namespace {

// Scores in which the speakers of `winners` have the larger one, -1: missing, -2: a tie.
Scores won_by(const std::vector<int>& winners, Index speakers = 2) {
  Scores scores{Matrix::Zero(std::ssize(winners), speakers), Seconds{1}};
  for (Index t = 0; t < scores.values.rows(); ++t) {
    const int winner = winners[static_cast<std::size_t>(t)];
    if (winner == -1) scores.values(t, speakers - 1) = NAN;
    if (winner >= 0) scores.values(t, winner) = 0.1;
  }
  return scores;
}

Tracked run(const MarkovChainTracker& tracker, const Scores& scores) {
  return tracker.track({scores, LogLikelihoods{Matrix::Zero(scores.values.rows(), scores.values.cols()), {1}}});
}

TEST(MarkovChain, StepsUpAndDownBetweenItsStates) {
  const Tracked tracked = run({.states = 5}, won_by({0, 0, 0, 1, -1, -2, 1, 1, 1, 1, 0}));
  const std::vector<double> gains{.75, 1, 1, .75, .75, .75, .5, .25, 0, 0, .25};
  const std::vector<Speaker> decisions{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};  // one half holds
  for (std::size_t t = 0; t < gains.size(); ++t) {
    EXPECT_NEAR(tracked.posteriors.values(static_cast<Index>(t), 0), gains[t], 1e-15) << t;
    EXPECT_EQ(tracked.posteriors.values.row(static_cast<Index>(t)).sum(), 1);
  }
  EXPECT_EQ(tracked.decisions.states, decisions);
  EXPECT_EQ(tracked.posteriors.held, 1) << "a missing window is held, a tie is not missing";
}

TEST(MarkovChain, HalfIsATieHoweverTheStepsRound) {
  // Steps of 1/6 there and back do not add to zero exactly.
  std::vector<int> winners;
  for (int cycle = 0; cycle < 1000; ++cycle) winners.insert(winners.end(), {1, 1, 0, 0});
  const Tracked tracked = run({.states = 7}, won_by(winners));
  for (std::size_t t = 0; t < winners.size(); ++t) EXPECT_EQ(tracked.decisions.states[t], 1) << t;
}

TEST(MarkovChain, OfAnEvenNumberOfStatesBeginsBetweenTheTwoInTheMiddle) {
  const Tracked tracked = run({.states = 4}, won_by({0, 0, 1}));
  EXPECT_NEAR(tracked.posteriors.values(0, 0), 5.0 / 6, 1e-15);
  EXPECT_EQ(tracked.posteriors.values(1, 0), 1);
  EXPECT_NEAR(tracked.posteriors.values(2, 0), 2.0 / 3, 1e-15);
}

TEST(MarkovChain, WalksOnTheSimplexForThree) {
  const Tracked tracked = run({.states = 5}, won_by({0, 0, 0, 1, 2}, 3));
  const double d = 0.25;
  const double third = 1.0 / 3;
  const Matrix& gains = tracked.posteriors.values;
  EXPECT_NEAR(gains(0, 0), third + d, 1e-15);
  EXPECT_NEAR(gains(0, 1), third - (d / 2), 1e-15);
  EXPECT_NEAR(gains(1, 2), third - d, 1e-15);
  EXPECT_NEAR(gains(2, 0), 1, 1e-15) << "the others are clipped at 0, the first scaled back";
  EXPECT_NEAR(gains(3, 0), (1 - (d / 2)) / (1 - (d / 2) + d), 1e-15);
  EXPECT_NEAR(gains(3, 1), d / (1 - (d / 2) + d), 1e-15);
  for (Index t = 0; t < gains.rows(); ++t) EXPECT_NEAR(gains.row(t).sum(), 1, 1e-15);
}

// By the definition: the probability that such a chain, left alone, is right in the long run is that of its states
// above the middle.
TEST(MarkovChain, IsRightAsOftenAsItsStationaryDistributionSays) {
  constexpr double accuracy = 0.6;
  constexpr int states = 9;
  RandomStream random(3);
  std::vector<int> winners(400000);
  for (int& winner : winners) winner = random.uniform() < accuracy ? 0 : 1;
  const Tracked tracked = run({.states = states}, won_by(winners));
  const double r = accuracy / (1 - accuracy);
  for (int k = 1; k <= states; ++k) {
    const double gain = (k - 1) / (states - 1.0);
    const double share = ((tracked.posteriors.values.col(0).array() - gain).abs() < 1e-9).cast<double>().mean();
    EXPECT_NEAR(share, (r - 1) / (std::pow(r, states) - 1) * std::pow(r, k - 1), 0.005) << "state " << k;
  }
}

TEST(GainStates, FollowTheRuleOfTheMesd) {
  EXPECT_EQ(gain_states_for(.58).states, 13);
  EXPECT_EQ(gain_states_for(.60).states, 10);
  EXPECT_FALSE(gain_states_for(.60).capped);
  EXPECT_EQ(gain_states_for(1).states, 5);
  for (const double poor : {0.0, .5, .505}) {
    EXPECT_EQ(gain_states_for(poor).states, 101) << poor;
    EXPECT_TRUE(gain_states_for(poor).capped) << poor;
  }
  EXPECT_GT(evaluate::optimal_gain_chain(.505)->states, 101);
  EXPECT_THROW((void)gain_states_for(1.5), Error);
}

TEST(MarkovChain, RefusesToStandStill) {
  for (const int states : {1, 0, -3}) EXPECT_THROW((void)run({.states = states}, won_by({0})), Error);
}

}  // namespace
}  // namespace heed::track
