// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/measures/switch_durations.h>

#include <vector>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

// Two speakers; the attended one, left, wins the first `right` of `windows` windows.
ScoredParticipant listener(Index windows, Index right, Seconds length) {
  ScoredTrial trial;
  trial.scores.window = length;
  trial.scores.values.resize(windows, 2);
  for (Index t = 0; t < windows; ++t) trial.scores.values.row(t) << (t < right ? .2 : 0.), .1;
  trial.attention.attended.assign(static_cast<std::size_t>(windows), 0);
  return {.id = "03", .speakers = {"left", "right"}, .type = {}, .trials = {trial}, .features = {}};
}

TEST(SwitchDurations, AreThoseOfTheCurveThatWasCounted) {
  const std::vector<ScoredParticipant> lengths{listener(40, 26, Seconds{1}), listener(20, 16, Seconds{5})};
  const SwitchDurations result = measure_switch_durations(lengths);
  ASSERT_EQ(result.curve.size(), 2U);
  EXPECT_EQ(result.curve[0].window.value, 1);
  EXPECT_EQ(result.curve[0].counts.accuracy(), .65);
  EXPECT_EQ(result.curve[1].counts.accuracy(), .8);
  EXPECT_EQ(result.curve[1].chance_bound, evaluate::Chance::make(2, 20).bound());
  const std::vector<evaluate::CurvePoint> curve{{Seconds{1}, .65}, {Seconds{5}, .8}};
  ASSERT_TRUE(result.mesd);
  EXPECT_EQ(result.mesd->duration, evaluate::minimal_expected_switch_duration(curve).duration);
  EXPECT_TRUE(result.why_not.empty());
}

TEST(SwitchDurations, SayWhyThereIsNone) {
  const std::vector<ScoredParticipant> guesser{listener(40, 18, Seconds{1})};
  const SwitchDurations result = measure_switch_durations(guesser);
  EXPECT_FALSE(result.mesd);
  EXPECT_EQ(result.why_not.find("participant 03: "), 0U);
  const std::vector<SwitchDurations> rows{result, measure_switch_durations(std::vector{listener(40, 30, Seconds{1})})};
  EXPECT_EQ(summarise(rows).count, 1U);
}

TEST(SwitchDurations, NeedLabels) {
  ScoredParticipant unlabelled = listener(10, 8, Seconds{2});
  unlabelled.trials.front().attention.attended.assign(10, unknown_speaker);
  test::expect_error(ErrorKind::bad_data, {"participant 03, windows of 2 s: no attended speaker"},
                     [&] { (void)measure_switch_durations(std::vector{unlabelled}); });
  test::expect_error(ErrorKind::invalid_argument, {"no scores"}, [] { (void)measure_switch_durations({}); });
}

}  // namespace
}  // namespace heed::pipeline
