// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/pipeline/trade_off.h>
#include <heed/sim/score_cohort.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

using track::Method;

const std::vector<ScoredParticipant>& cohort() {
  static const auto participants = sim::simulate_scores({.participants = 4, .trials = 2, .seed = 8});
  return participants;
}

TEST(TradeOff, ThePapersProbabilities) {
  const auto grid = paper_switch_probabilities();
  ASSERT_EQ(grid.size(), 13U);
  EXPECT_NEAR(grid.front(), 1e-4, 1e-16);
  EXPECT_NEAR(grid[4], 1e-3, 1e-15);
  EXPECT_NEAR(grid.back(), 0.1, 1e-13);
}

TEST(TradeOff, EveryPointIsTheComparisonAtItsProbability) {
  CompareOptions options{.methods = {Method::smooth, Method::raw, Method::causal, Method::fixed_lag, Method::viterbi}};
  options.method.lag = Seconds{9};
  options.switch_every = SwitchInterval{Seconds{60}, Seconds{125}};
  options.join = true;
  options.repeats = 2;
  const std::vector<double> grid{0.03, 0.0001};
  const TradeOff result = trade_off(cohort(), options, grid);
  EXPECT_EQ(result.switch_probability, 0.001);
  ASSERT_EQ(result.curves.size(), 5U);
  for (std::size_t m = 0; m < 5; ++m) {
    if (options.methods[m] == Method::raw) {
      EXPECT_TRUE(result.curves[m].empty());
      continue;
    }
    ASSERT_EQ(result.curves[m].size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      const double p = std::vector{0.0001, 0.001, 0.03}[k];
      options.chain.switch_probability = p;
      const MethodResult alone = compare(cohort(), options).methods[m];
      EXPECT_EQ(result.curves[m][k].switch_probability, p) << "rising, the one in use among them";
      EXPECT_EQ(result.curves[m][k].accuracy.mean, alone.accuracy.mean);
      EXPECT_EQ(result.curves[m][k].accuracy.sd, alone.accuracy.sd);
      EXPECT_EQ(result.curves[m][k].switch_time.mean, alone.switch_time.mean);
    }
  }
}

TEST(TradeOff, TheComparisonIsThatOfCompare) {
  const TradeOff result = trade_off(cohort(), {}, paper_switch_probabilities());
  const Comparison alone = compare(cohort(), {});
  ASSERT_EQ(result.comparison.methods.size(), alone.methods.size());
  for (std::size_t m = 0; m < alone.methods.size(); ++m) {
    EXPECT_EQ(result.comparison.methods[m].method, alone.methods[m].method);
    EXPECT_EQ(result.comparison.methods[m].accuracy.mean, alone.methods[m].accuracy.mean);
    EXPECT_EQ(result.comparison.methods[m].switch_time.mean, alone.methods[m].switch_time.mean);
    const bool has_chain = track::needs(alone.methods[m].method).chain;
    EXPECT_EQ(result.curves[m].size(), has_chain ? 13U : 0U) << "0.001 is in use and not run twice";
  }
  EXPECT_EQ(result.comparison.speakers, 2U);
  EXPECT_EQ(result.comparison.chance, 0.5);
}

TEST(TradeOff, AHigherProbabilityIsQuickerAndLessSteady) {
  const TradeOff result = trade_off(cohort(), {.methods = {Method::causal}}, paper_switch_probabilities());
  const auto& curve = result.curves.front();
  for (std::size_t k = 1; k < curve.size(); ++k) {
    EXPECT_LT(*curve[k].switch_time.mean, *curve[k - 1].switch_time.mean + 1) << k;
    if (curve[k].switch_probability > 0.003) {
      EXPECT_LT(*curve[k].accuracy.mean, *curve[k - 1].accuracy.mean) << k;
    }
  }
  EXPECT_LT(*curve.back().switch_time.mean, 0.2 * *curve.front().switch_time.mean);
}

TEST(TradeOff, WithAWholeMatrixThereIsNothingToSweep) {
  CompareOptions options{.methods = {Method::causal, Method::smooth}};
  options.chain.transition = Matrix{{0.99, 0.01}, {0.02, 0.98}};
  const TradeOff result = trade_off(cohort(), options, paper_switch_probabilities());
  EXPECT_FALSE(result.switch_probability);
  for (const auto& curve : result.curves) EXPECT_TRUE(curve.empty());
}

TEST(TradeOff, TakesOnlyProbabilitiesAChainCanHave) {
  const CompareOptions options{.methods = {Method::causal}};
  const std::vector<double> high{0.5, 0.51, 2};
  const TradeOff result = trade_off(cohort(), options, high);
  ASSERT_EQ(result.curves.front().size(), 2U);
  EXPECT_EQ(result.curves.front()[1].switch_probability, 0.5) << "1/N is one";
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    try {
      (void)trade_off(cohort(), options, std::vector{bad});
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
    }
  }
}

TEST(TradeOff, TellsItsProgress) {
  std::vector<std::size_t> seen;
  CompareOptions options{.methods = {Method::causal}};
  options.repeats = 3;
  (void)trade_off(cohort(), options, std::vector{0.01}, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 12U);
    seen.push_back(done);
  });
  ASSERT_EQ(seen.size(), 4U + 12U) << "four models, twelve turns";
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 12U);
}

}  // namespace
}  // namespace heed::pipeline
