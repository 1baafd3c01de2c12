// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/evaluate/summary.h>

namespace heed::evaluate {
namespace {

// 1 - 6 sum d^2 / (n (n^2 - 1)): ranks 1 4 2 5 3 against 1 ... 5 have d = 0 2 1 1 2.
TEST(RankCorrelation, EqualsTheClosedForm) {
  EXPECT_NEAR(rank_correlation({.1, .4, .2, .5, .3}, {10, 20, 30, 40, 50}), 1 - (6.0 * 10 / 120), 1e-15);
  EXPECT_NEAR(rank_correlation({3, 2, 1}, {1, 2, 30}), -1, 1e-15);
}

// scipy.stats.spearmanr([.5, .5, .6, .6, .9], [1, 2, 3, 5, 10])
TEST(RankCorrelation, SharesRanksAmongEqualValues) {
  EXPECT_NEAR(rank_correlation({.5, .5, .6, .6, .9}, {1, 2, 3, 5, 10}), 0.9486832980505138, 1e-12);
  EXPECT_EQ(rank_correlation({.5, .5}, {1, 2}), 0);
}

}  // namespace
}  // namespace heed::evaluate
