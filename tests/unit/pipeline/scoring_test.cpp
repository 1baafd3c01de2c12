// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/pipeline/score.h>

#include <limits>

namespace heed::pipeline {
namespace {

// 60 windows, the attended speaker ahead in all but `wrong` of them.
ScoredParticipant participant(int wrong) {
  ScoredParticipant result{.id = "01", .speakers = {"left", "right"}};
  ScoredTrial trial;
  trial.scores.values.resize(60, 2);
  for (Index t = 0; t < 60; ++t) {
    trial.scores.values.row(t) << (t < wrong ? -0.1 : 0.1), 0.0;
    trial.attention.attended.push_back(0);
  }
  result.trials = {trial};
  return result;
}

TEST(Significance, FortyOfSixtyIsMoreThanLuck) {
  const Significance found = significance_of(participant(20));
  EXPECT_EQ(found.windows, 60);
  EXPECT_EQ(found.chance, 0.5);
  EXPECT_NEAR(*found.accuracy, 40.0 / 60, 1e-12);
  EXPECT_NEAR(*found.p_value, 0.00674464686559593, 1e-12);  // scipy.stats.binom.sf(39, 60, .5)
  EXPECT_NEAR(*found.bound, 37.0 / 60, 1e-12);              // the smallest k with binom.sf(k - 1, 60, .5) <= .05
}

TEST(Significance, MissingAndUnlabelledWindowsAreNotCounted) {
  ScoredParticipant one = participant(0);
  one.trials[0].scores.values(3, 0) = std::numeric_limits<double>::quiet_NaN();
  one.trials[0].attention.attended[4] = unknown_speaker;
  EXPECT_EQ(significance_of(one).windows, 58);
}

TEST(Significance, WithoutLabelsThereIsNoAccuracy) {
  ScoredParticipant one = participant(0);
  one.trials[0].attention.attended.assign(60, unknown_speaker);
  const Significance found = significance_of(one);
  EXPECT_EQ(found.windows, 0);
  EXPECT_FALSE(found.accuracy);
  EXPECT_FALSE(found.p_value);
}

}  // namespace
}  // namespace heed::pipeline
