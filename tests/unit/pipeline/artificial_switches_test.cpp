// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <pipeline/artificial_switches.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

constexpr double attended_score = 9;

// The attended speaker's score is 9, the others' 1, 2, ... in order.
ScoredTrial marked_trial(const std::vector<Speaker>& attended, Index speakers, Seconds window = Seconds{1}) {
  ScoredTrial trial{.name = "1", .onset = {}, .scores = {}, .attention = {attended}};
  trial.scores = {Matrix(static_cast<Index>(attended.size()), speakers), window};
  for (Index t = 0; t < trial.scores.values.rows(); ++t) {
    double other = 1;
    const Speaker label = attended[static_cast<std::size_t>(t)];
    for (Index j = 0; j < speakers; ++j) trial.scores.values(t, j) = j == label ? attended_score : other++;
  }
  return trial;
}

ScoredParticipant participant(std::vector<ScoredTrial> trials) {
  return {"01", std::vector<std::string>(3, "s"), ScoreType::correlation, std::move(trials)};
}

ScoredParticipant switched(const ScoredParticipant& p, Seconds shortest, Seconds longest, std::uint64_t seed = 1) {
  return with_artificial_switches(p, {shortest, longest}, SwitchDraw{.seed = seed});
}

TEST(ArtificialSwitches, UndoRecordedSwitchesThenRotateBlockByBlock) {
  const auto p = participant({marked_trial({2, 2, 0, 0, 0, 1, 1, 1}, 3)});
  const ScoredTrial trial = switched(p, Seconds{3}, Seconds{3}).trials.at(0);
  EXPECT_EQ(trial.attention.attended, (std::vector<Speaker>{0, 0, 0, 1, 1, 1, 2, 2})) << "a shorter last block stays";
  for (Index t = 0; t < 8; ++t) {
    EXPECT_EQ(trial.scores.values(t, trial.attention.attended[static_cast<std::size_t>(t)]), attended_score);
    EXPECT_EQ(trial.scores.values.row(t).sum(), attended_score + 1 + 2) << "columns are permuted, none is lost";
  }
  EXPECT_EQ(trial.scores.values(4, 2), 1) << "the others keep their order behind the attended";
  EXPECT_EQ(trial.scores.values(4, 0), 2);
}

TEST(ArtificialSwitches, AWindowThatStraddlesASwitchHasNoLabel) {
  const auto p = participant({marked_trial({0, 0, 0, 0}, 3, Seconds{2})});
  const ScoredTrial trial = switched(p, Seconds{3}, Seconds{3}).trials.at(0);
  EXPECT_EQ(trial.attention.attended, (std::vector<Speaker>{0, unknown_speaker, 1, 2}));
}

// Windows of 1 s every quarter second, a switch at 3 s: the windows at 2.25, 2.5 and 2.75 s hear both speakers.
TEST(ArtificialSwitches, OverlappingWindowsThatStraddleASwitchAreMissing) {
  auto marked = marked_trial(std::vector<Speaker>(30, 0), 3);
  marked.scores.hop = Seconds{0.25};
  const ScoredTrial trial = switched(participant({marked}), Seconds{3}, Seconds{3}).trials.at(0);
  for (Index t = 0; t < 30; ++t) {
    const double start = 0.25 * static_cast<double>(t);
    const bool straddles = (start > 2 && start < 3) || (start > 5 && start < 6);
    const Speaker block = start < 3 ? 0 : start < 6 ? 1 : 2;
    EXPECT_EQ(trial.attention.attended[static_cast<std::size_t>(t)], straddles ? unknown_speaker : block) << start;
    EXPECT_EQ(trial.scores.values.row(t).hasNaN(), straddles) << start;
    if (straddles) continue;
    EXPECT_EQ(trial.scores.values(t, block), attended_score);
  }
}

TEST(ArtificialSwitches, UnknownLabelsStayUnknownAndFollowTheLastKnown) {
  auto trial = marked_trial({1, 1, 1, 1}, 3);
  trial.attention.attended = {unknown_speaker, 1, unknown_speaker, 1};
  const ScoredTrial result = switched(participant({trial}), Seconds{2}, Seconds{2}).trials.at(0);
  EXPECT_EQ(result.attention.attended, (std::vector<Speaker>{unknown_speaker, 0, unknown_speaker, 1}));
  EXPECT_EQ(result.scores.values(0, 0), attended_score);
  EXPECT_EQ(result.scores.values(2, 1), attended_score);
}

TEST(ArtificialSwitches, JoinTrialsOnlyWhereNoSwitchWouldFit) {
  const std::vector<Speaker> four(4, 0);
  const auto p = participant({marked_trial(four, 3), marked_trial(four, 3)});
  EXPECT_EQ(switched(p, Seconds{3}, Seconds{3}).trials.size(), 2U);
  const auto joined = switched(p, Seconds{4}, Seconds{4});
  ASSERT_EQ(joined.trials.size(), 1U);
  EXPECT_EQ(joined.trials[0].attention.attended, (std::vector<Speaker>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(ArtificialSwitches, RandomBlocksAreWholeSecondsWithinTheRange) {
  const auto p = participant({marked_trial(std::vector<Speaker>(20000, 0), 3)});
  const auto labels = switched(p, Seconds{60}, Seconds{65}).trials.at(0).attention.attended;
  std::multiset<std::ptrdiff_t> lengths;
  auto from = labels.begin();
  while (true) {
    const auto to = std::find_if(from, labels.end(), [&](Speaker s) { return s != *from; });
    if (to == labels.end()) break;
    lengths.insert(to - from);
    from = to;
  }
  EXPECT_EQ(*lengths.begin(), 60);
  EXPECT_EQ(*lengths.rbegin(), 65);
  for (std::ptrdiff_t length = 60; length <= 65; ++length) EXPECT_GT(lengths.count(length), 25U) << length;
  EXPECT_EQ(labels, switched(p, Seconds{60}, Seconds{65}).trials.at(0).attention.attended)
      << "same seed, same switches";
  EXPECT_NE(labels, switched(p, Seconds{60}, Seconds{65}, 2).trials.at(0).attention.attended);
}

// Decisions begin with the first column where nothing is known: no trial may be right for that.
TEST(ArtificialSwitches, NoColumnHasTheStartMoreOftenThanOthers) {
  const std::vector<Speaker> stays(6, 1);
  const auto p = participant({marked_trial(stays, 3), marked_trial(stays, 3), marked_trial(stays, 3)});
  std::vector<int> starts(3, 0);
  for (std::size_t whose = 0; whose < 3; ++whose) {
    for (const ScoredTrial& trial : with_artificial_switches(p, {{3}, {3}}, SwitchDraw{.participant = whose}).trials) {
      ++starts[static_cast<std::size_t>(trial.attention.attended[0])];
      EXPECT_EQ(trial.attention.attended[3], (trial.attention.attended[0] + 1) % 3);
    }
  }
  EXPECT_EQ(starts, (std::vector<int>{3, 3, 3}));
}

TEST(ArtificialSwitches, CanBeKeptToTrialsInWhichAttentionStays) {
  const auto p =
      participant({marked_trial({0, 0, 0, 1, 1, 1}, 3), marked_trial({2, 2, 2, 2, 2, 2}, 3), marked_trial({2, 2}, 3)});
  const auto some = with_artificial_switches(p, {{3}, {3}}, SwitchDraw{}, SwitchedTrials::sustained);
  EXPECT_EQ(some.trials[0].attention.attended, p.trials[0].attention.attended) << "a switch was recorded";
  EXPECT_EQ(some.trials[0].scores.values, p.trials[0].scores.values);
  EXPECT_EQ(some.trials[1].attention.attended, (std::vector<Speaker>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(some.trials[2].attention.attended, p.trials[2].attention.attended) << "too short for a switch";
}

TEST(ArtificialSwitches, CanBeUndone) {
  const auto p = participant({marked_trial({2, 2, 0, 0, 1}, 3)});
  const ScoredTrial trial = without_switches(p, {}).trials.at(0);
  EXPECT_EQ(trial.attention.attended, (std::vector<Speaker>(5, 0)));
  for (Index t = 0; t < 5; ++t) EXPECT_EQ(trial.scores.values(t, 0), attended_score);
}

TEST(ArtificialSwitches, NeedLabelsAndAPositiveInterval) {
  auto trial = marked_trial({0, 0, 0}, 3);
  EXPECT_THROW((void)switched(participant({trial}), Seconds{0}, Seconds{0}), Error);
  EXPECT_THROW((void)switched(participant({trial}), Seconds{9}, Seconds{2}), Error);
  trial.attention.attended.assign(3, unknown_speaker);
  EXPECT_THROW((void)switched(participant({trial}), Seconds{2}, Seconds{2}), Error);
}

SwitchInterval interval(const std::string& text) { return parse_interval("--switch-every", text); }

TEST(SwitchInterval, IsANumberOfSecondsOrARange) {
  EXPECT_EQ(interval("300").shortest.value, 300);
  EXPECT_EQ(interval("300").longest.value, 300);
  EXPECT_EQ(interval("2.5").longest.value, 2.5);
  EXPECT_EQ(interval("60-125").shortest.value, 60);
  EXPECT_EQ(interval("60-125").longest.value, 125);
  EXPECT_EQ(interval("2.5-2.5").shortest.value, 2.5) << "no range, so it need not be whole";
}

TEST(SwitchInterval, RefusesWhatIsNoTimeNamingTheOption) {
  for (const char* text : {"", "abc", "0", "-5", "60-", "125-60", "1.5-3", "1-2.5", "60-125-200", "nan"}) {
    test::expect_error(ErrorKind::invalid_argument, {"--switch-every " + std::string(text) + ": give seconds"},
                       [&] { (void)interval(text); });
  }
}

}  // namespace
}  // namespace heed::pipeline
