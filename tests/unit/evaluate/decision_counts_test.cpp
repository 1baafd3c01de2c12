// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/evaluate/chance.h>

#include <cmath>

namespace heed::evaluate {
namespace {

ScoredParticipant three_speakers() {
  ScoredParticipant participant;
  participant.speakers = {"a", "b", "c"};
  ScoredTrial trial;
  trial.scores.values = (Matrix(6, 3) << .3, .1, .2,  // a attended: right, two pairs won
                         .1, .3, .2,                  // a: no pair won
                         .2, .3, .2,                  // c: a tie is not won
                         .1, .2, .15,                 // c: one won
                         .1, NAN, .2,                 // c: missing
                         .1, .2, .3)
                            .finished();  // no label
  trial.attention.attended = {0, 0, 2, 2, 2, unknown_speaker};
  participant.trials = {trial, trial};
  return participant;
}

TEST(DecisionCounts, CountLabelledWindowsAndPairs) {
  const DecisionCounts counts = count_decisions(three_speakers());
  EXPECT_EQ(counts.windows, 2 * 4);
  EXPECT_EQ(counts.correct, 2 * 1);
  EXPECT_EQ(counts.pairs, 2 * 8);
  EXPECT_EQ(counts.won, 2 * 3);
  EXPECT_EQ(counts.accuracy(), 0.25);
  EXPECT_EQ(counts.pairwise_accuracy(), 3.0 / 8);
}

TEST(DecisionCounts, AddAndSubtractExactly) {
  const DecisionCounts one = count_decisions(three_speakers());
  DecisionCounts sum = one;
  sum += one;
  sum += one;
  EXPECT_EQ(sum.windows, 3 * one.windows);
  EXPECT_EQ(sum.pairs, 3 * one.pairs);
  sum -= one;
  sum -= one;
  EXPECT_EQ(sum.correct, one.correct);
  EXPECT_EQ(sum.won, one.won);
  sum -= one;
  EXPECT_FALSE(sum.accuracy());
  EXPECT_FALSE(sum.pairwise_accuracy());
}

TEST(DecisionCounts, FeaturesAreNoScores) {
  auto participant = three_speakers();
  participant.features = {"x", "y", "z"};
  EXPECT_EQ(count_decisions(participant).windows, 0);
}

}  // namespace
}  // namespace heed::evaluate
