// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <pipeline/trials.h>

namespace heed::pipeline {
namespace {

// Scores that count up, so that every window can be told from every other.
ScoredTrial counting_trial(const std::string& name, Index windows, double first, Seconds window = Seconds{1}) {
  ScoredTrial trial{.name = name, .onset = Seconds{10}, .scores = {Matrix(windows, 2), window}, .attention = {}};
  for (Index t = 0; t < windows; ++t) {
    trial.scores.values.row(t).setConstant(first + static_cast<double>(t));
    trial.attention.attended.push_back(static_cast<Speaker>(t % 2));
  }
  return trial;
}

ScoredParticipant two_trials() {
  return {"01", {"left", "right"}, ScoreType::log_odds, {counting_trial("a", 7, 0), counting_trial("b", 5, 100)}};
}

TEST(CutTrials, DropsWhatIsLeftOver) {
  const ScoredParticipant cut = cut_trials(two_trials(), Seconds{3});
  ASSERT_EQ(cut.trials.size(), 3U);
  EXPECT_EQ(cut.trials[1].scores.values(0, 0), 3);
  EXPECT_EQ(cut.trials[1].onset, Seconds{13});
  EXPECT_EQ(cut.trials[1].attention.attended, (std::vector<Speaker>{1, 0, 1}));
  EXPECT_EQ(cut.trials[2].scores.values(0, 0), 100);
  EXPECT_EQ(cut.id, "01");
  EXPECT_EQ(cut.type, ScoreType::log_odds);
}

// Windows of 1 s every 0.25 s, cut to 2 s: five windows lie within, and those that straddle a cut are dropped.
TEST(CutTrials, OverlappingWindowsLieWithinTheirPiece) {
  ScoredTrial trial = counting_trial("a", 30, 0);
  trial.scores.hop = Seconds{0.25};
  const ScoredParticipant cut = cut_trials({"01", {"left", "right"}, ScoreType::log_odds, {trial}}, Seconds{2});
  ASSERT_EQ(cut.trials.size(), 4U);
  EXPECT_EQ(cut.trials[1].scores.values.rows(), 5);
  EXPECT_EQ(cut.trials[1].scores.values(0, 0), 8);
  EXPECT_EQ(cut.trials[1].onset, Seconds{12});
  EXPECT_EQ(cut.hop(), Seconds{0.25});
  EXPECT_EQ(longest_trial(cut), Seconds{2});
  EXPECT_THROW((void)cut_trials(cut, Seconds{1.6}), Error);
}

TEST(CutTrials, RefusesFractionsOfAWindowAndTrialsTooLong) {
  EXPECT_THROW((void)cut_trials(two_trials(), Seconds{2.5}), Error);
  EXPECT_THROW((void)cut_trials(two_trials(), Seconds{0}), Error);
  EXPECT_THROW((void)cut_trials(two_trials(), Seconds{8}), Error);
}

TEST(JoinTrials, KeepsOrderAndLabels) {
  const ScoredParticipant joined = join_trials(two_trials());
  ASSERT_EQ(joined.trials.size(), 1U);
  EXPECT_EQ(joined.trials[0].scores.values.rows(), 12);
  EXPECT_EQ(joined.trials[0].scores.values(6, 1), 6);
  EXPECT_EQ(joined.trials[0].scores.values(7, 1), 100);
  EXPECT_EQ(joined.trials[0].attention.attended.size(), 12U);
  EXPECT_EQ(longest_trial(joined), Seconds{12});
}

TEST(JoinTrials, RefusesWindowsOfDifferentLength) {
  ScoredParticipant participant = two_trials();
  participant.trials.push_back(counting_trial("c", 3, 0, Seconds{2}));
  EXPECT_THROW((void)join_trials(participant), Error);
  participant.trials.back() = counting_trial("c", 3, 0);
  participant.trials.back().scores.hop = Seconds{0.5};
  EXPECT_THROW((void)join_trials(participant), Error);
}

TEST(LongestTrial, IsInSeconds) {
  EXPECT_EQ(longest_trial(two_trials()), Seconds{7});
  EXPECT_EQ(longest_trial({}), Seconds{0});
}

}  // namespace
}  // namespace heed::pipeline
