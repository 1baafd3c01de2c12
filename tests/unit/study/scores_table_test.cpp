// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cohorts/scores_table.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/expect_error.h"

namespace heed::study {
namespace {

ScoredParticipant participant(Seconds window, ScoreType type) {
  ScoredParticipant one{.id = "01", .speakers = {"left", "right"}, .type = type};
  for (const char* name : {"run-1", ""}) {
    ScoredTrial trial{.name = name, .onset = {0.25}};
    trial.scores.window = trial.scores.hop = window;
    trial.scores.values.resize(3, 2);
    trial.scores.values << 0.1, -1.0 / 3, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::quiet_NaN(), 1e-300, 0.7;
    trial.attention.attended = {0, unknown_speaker, 1};
    one.trials.push_back(trial);
  }
  return one;
}

void expect_same(const ScoredParticipant& a, const ScoredParticipant& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.speakers, b.speakers);
  EXPECT_EQ(a.type, b.type);
  ASSERT_EQ(a.trials.size(), b.trials.size());
  for (std::size_t k = 0; k < a.trials.size(); ++k) {
    EXPECT_EQ(a.trials[k].name, b.trials[k].name);
    EXPECT_EQ(a.trials[k].onset, b.trials[k].onset);
    EXPECT_EQ(a.trials[k].scores.window, b.trials[k].scores.window);
    EXPECT_EQ(a.trials[k].attention.attended, b.trials[k].attention.attended);
    for (Index i = 0; i < a.trials[k].scores.values.size(); ++i) {
      const double x = a.trials[k].scores.values.data()[i];
      const double y = b.trials[k].scores.values.data()[i];
      EXPECT_TRUE((std::isnan(x) && std::isnan(y)) ||
                  std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y));
    }
  }
}

TEST(ScoresTable, ComesBackToTheBitThroughAFile) {
  const DecodedScores decoded{
      .lengths = {participant({1}, ScoreType::log_odds), participant({0.25}, ScoreType::log_odds)}};
  const DecodedScores back = parse_scores(text_of_scores(decoded), "01");
  ASSERT_EQ(back.lengths.size(), 2U);
  expect_same(back.lengths[0], decoded.lengths[0]);
  expect_same(back.lengths[1], decoded.lengths[1]);
  EXPECT_EQ(back.failure, "");
}

TEST(ScoresTable, KeepsTheTypeOfTheScoresAndWhyWindowsAreMissing) {
  const DecodedScores decoded{.lengths = {participant({1}, ScoreType::correlation)},
                              .failure = "windows of 40 s: too few",
                              .note = "decoded without a population"};
  const DecodedScores back = parse_scores(text_of_scores(decoded), "01");
  EXPECT_EQ(back.lengths.at(0).type, ScoreType::correlation);
  EXPECT_EQ(back.failure, decoded.failure);
  EXPECT_EQ(back.note, decoded.note);
}

TEST(ScoresTable, RefusesOtherTables) {
  test::expect_error(ErrorKind::bad_data, {"not scores"}, [] { (void)parse_scores("a\tb\n", "01"); });
}

}  // namespace
}  // namespace heed::study
