// SPDX-License-Identifier: MIT
// The clock of a score file: window length, trials, gaps, overlaps.
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>
#include <io/tsv.h>
#include <rapidcheck/gtest.h>

#include "support/expect_error.h"

namespace heed::io {
namespace {

using test::expect_error;
using Labels = std::vector<Speaker>;

void expect_bad(std::string_view table, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_scores(table); });
}

std::string with_onsets(std::initializer_list<std::string_view> onsets) {
  std::string text = "onset\ta\tb\n";
  for (const std::string_view onset : onsets) text.append(onset).append("\t0.1\t0.2\n");
  return text;
}

ScoredTrial only_trial(std::string_view table, std::optional<std::string_view> sidecar = {}) {
  const ScoreFile file = parse_scores(table, sidecar);
  EXPECT_TRUE(file.warnings.empty()) << file.warnings.at(0);
  EXPECT_EQ(file.participant.trials.size(), 1U);
  return file.participant.trials.at(0);
}

double window_of(std::string_view table, std::optional<std::string_view> sidecar = {}) {
  return only_trial(table, sidecar).scores.window.value;
}

TEST(ScoreWindows, LengthComesFromDurationFirst) {
  EXPECT_EQ(window_of("duration\ta\tb\n2.5\t0\t0\n2.5\t0\t0\n"), 2.5);
  EXPECT_EQ(window_of("onset\tduration\ta\tb\n0\t2\t0\t0\n2\tn/a\t0\t0\n4\t2\t0\t0\n"), 2);
  // Onsets every 4 s, windows of 2 s: every other window is missing.
  const ScoredTrial trial = only_trial("onset\tduration\ta\tb\n0\t2\t0\t0\n4\t2\t0\t0\n8\t2\t0\t0\n");
  EXPECT_EQ(trial.scores.window, Seconds{2});
  EXPECT_EQ(trial.scores.values.rows(), 5);
}

TEST(ScoreWindows, LengthComesFromTheSidecarNext) {
  EXPECT_EQ(window_of("duration\ta\tb\nn/a\t0\t0\n", R"({"WindowLength": 5})"), 5);
  EXPECT_EQ(window_of(with_onsets({"0", "5", "10"}), R"({"WindowLength": 5.0})"), 5);
}

TEST(ScoreWindows, DurationBeatsTheSidecarWithAWarning) {
  const ScoreFile file = parse_scores("duration\ta\tb\n2\t0\t0\n", R"({"WindowLength": 5})");
  EXPECT_EQ(file.participant.trials.at(0).scores.window, Seconds{2});
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_NE(file.warnings[0].find("WindowLength 5 s"), std::string::npos) << file.warnings[0];
}

TEST(ScoreWindows, LengthComesFromTheCommonestOnsetStepThen) {
  EXPECT_EQ(window_of(with_onsets({"0", "60", "120", "300", "360"})), 60);
  EXPECT_EQ(window_of(with_onsets({"0", "0.1", "0.2", "0.3", "0.4"})), 0.1);
  EXPECT_EQ(window_of(with_onsets({"-3", "-1", "1"})), 2);
  // Of two steps as common, the shorter.
  EXPECT_EQ(window_of(with_onsets({"0", "1", "2", "4", "6"})), 1);
}

TEST(ScoreWindows, LengthIsOneSecondWithAWarningOtherwise) {
  for (const std::string_view table : {"a\tb\n0\t0\n0\t0\n", "onset\ta\tb\n7\t0\t0\n", "duration\ta\tb\nn/a\t0\t0\n",
                                       "onset\ttrial\ta\tb\n0\tx\t0\t0\n9\ty\t0\t0\n"}) {
    const ScoreFile file = parse_scores(table);
    EXPECT_EQ(file.participant.trials.at(0).scores.window, Seconds{1});
    ASSERT_EQ(file.warnings.size(), 1U) << table;
    EXPECT_NE(file.warnings[0].find("1 s"), std::string::npos);
  }
}

TEST(ScoreWindows, RefusesABadDuration) {
  expect_bad("duration\ta\tb\n0\t0\t0\n", {"row 2, column duration", "longer than 0"});
  expect_bad("duration\ta\tb\n1\t0\t0\n-1\t0\t0\n", {"row 3, column duration"});
  expect_bad("duration\ta\tb\nn/a\t0\t0\n1\t0\t0\n2\t0\t0\n", {"row 4, column duration", "2 s", "1 s in row 3"});
}

TEST(ScoreWindows, WithoutOnsetsRowsAreConsecutive) {
  const ScoreFile file = parse_scores("trial\ta\tb\nx\t1\t0\nx\t2\t0\ny\t3\t0\n", R"({"WindowLength": 2})");
  ASSERT_EQ(file.participant.trials.size(), 2U);
  EXPECT_EQ(file.participant.trials[0].scores.values.rows(), 2);
  EXPECT_EQ(file.participant.trials[0].onset, Seconds{0});
  EXPECT_EQ(file.participant.trials[1].scores.values.rows(), 1);
  EXPECT_EQ(file.participant.trials[1].scores.values(0, 0), 3);
}

TEST(ScoreWindows, OnsetsMayRestartOrGoOnWithATrial) {
  const ScoreFile file = parse_scores(
      "onset\ttrial\ta\tb\n10\t1\t0\t0\n11\t1\t0\t0\n0\t2\t0\t0\n1\t2\t0\t0\n50.5\t3\t0\t0\n51.5\t3\t0\t0\n");
  ASSERT_EQ(file.participant.trials.size(), 3U);
  EXPECT_EQ(file.participant.trials[0].onset, Seconds{10});
  EXPECT_EQ(file.participant.trials[1].onset, Seconds{0});
  EXPECT_EQ(file.participant.trials[1].name, "2");
  EXPECT_EQ(file.participant.trials[2].onset, Seconds{50.5});
  for (const ScoredTrial& trial : file.participant.trials) EXPECT_EQ(trial.scores.values.rows(), 2);
}

TEST(ScoreWindows, TrialsMayNotComeBackOrBeNameless) {
  expect_bad("trial\ta\tb\nx\t0\t0\ny\t0\t0\nx\t0\t0\n", {"row 4, column trial", "'x'", "together"});
  expect_bad("trial\ta\tb\nn/a\t0\t0\n", {"row 2, column trial", "name"});
  expect_bad("trial\ta\tb\n\t0\t0\n", {"row 2, column trial", "name"});
}

TEST(ScoreWindows, GapsOfWholeWindowsBecomeMissingWindows) {
  const ScoredTrial trial = only_trial("onset\ta\tb\tattended\n0\t1\t1\ta\n1\t2\t2\ta\n4\t3\t3\tb\n5\t4\t4\tb\n");
  ASSERT_EQ(trial.scores.values.rows(), 6);
  EXPECT_EQ(trial.attention.attended, (Labels{0, 0, unknown_speaker, unknown_speaker, 1, 1}));
  for (const Index t : {2, 3}) EXPECT_TRUE(trial.scores.values.row(t).array().isNaN().all());
  EXPECT_EQ(trial.scores.values(4, 0), 3);
  EXPECT_EQ(trial.scores.values(5, 1), 4);
}

// Windows of 1 s that begin half a second apart.
constexpr std::string_view overlapping =
    "onset\tduration\ta\tb\n0\t1\t1\t0\n0.5\t1\t2\t0\n1\t1\t3\t0\n2\t1\t4\t0\n2.5\t1\t5\t0\n";

TEST(ScoreWindows, WindowsMayOverlap) {
  const ScoredTrial trial = only_trial(overlapping, R"({"WindowLength": 1, "HopLength": 0.5})");
  EXPECT_EQ(trial.scores.window, Seconds{1});
  EXPECT_EQ(trial.scores.hop, Seconds{0.5});
  ASSERT_EQ(trial.scores.values.rows(), 6);
  EXPECT_EQ(trial.scores.values(2, 0), 3);
  EXPECT_TRUE(trial.scores.values.row(3).array().isNaN().all()) << "a gap is a whole number of hops";
  EXPECT_EQ(trial.scores.values(5, 0), 5);
}

TEST(ScoreWindows, OverlapIsSeenInDurationsAndOnsetsWithAWarning) {
  const ScoreFile file = parse_scores(overlapping);
  EXPECT_EQ(file.participant.hop(), Seconds{0.5});
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_NE(file.warnings[0].find("last 1 s and begin 0.5 s apart"), std::string::npos) << file.warnings[0];
}

TEST(ScoreWindows, AHopAsLongAsTheWindowIsNone) {
  const ScoredTrial trial = only_trial(with_onsets({"0", "5", "10"}), R"({"WindowLength": 5, "HopLength": 5.0})");
  EXPECT_EQ(trial.scores.hop, trial.scores.window);
}

TEST(ScoreWindows, RefusesHopsThatAreNone) {
  const auto refuse = [](std::string_view sidecar, std::initializer_list<std::string_view> words) {
    expect_error(ErrorKind::bad_data, words, [&] { (void)parse_scores(overlapping, sidecar); });
  };
  refuse(R"({"HopLength": 1.5})", {"hop of 1.5 s is longer than the window of 1 s"});
  refuse(R"({"HopLength": 0})", {"HopLength"});
  refuse(R"({"HopLength": "short"})", {"HopLength"});
  refuse(R"({"HopLength": 0.2})",
         {"row 3, column onset", "is 0.5 s after the row before", "not a whole number of hops of 0.2 s"});
}

TEST(ScoreWindows, RefusesIrregularHops) {
  expect_bad("onset\tduration\ta\tb\n0\t1\t0\t0\n0.25\t1\t0\t0\n0.5\t1\t0\t0\n0.6\t1\t0\t0\n0.85\t1\t0\t0\n",
             {"row 5, column onset", "0.6 s", "overlaps", "begin every 0.25 s"});
  expect_bad("onset\tduration\ta\tb\n0\t1\t0\t0\n0.25\t1\t0\t0\n0.5\t1\t0\t0\n0.9\t1\t0\t0\n1.15\t1\t0\t0\n",
             {"row 5, column onset", "is 0.4 s after the row before", "not a whole number of hops of 0.25 s"});
}

TEST(ScoreWindows, RefusesOverlapThatIsNoHop) {
  expect_bad("onset\tduration\ta\tb\n0\t1\t0\t0\n0.92\t1\t0\t0\n1.84\t1\t0\t0\n",
             {"row 3, column onset", "0.92 s after the row before", "not a whole number of windows of 1 s"});
  expect_bad(with_onsets({"0", "1", "2", "2.5", "3.5"}), {"row 5, column onset", "2.5 s", "overlaps"});
  expect_bad(with_onsets({"0", "1", "2", "2", "3"}), {"row 5, column onset", "does not come after", "trial"});
  expect_bad(with_onsets({"0", "1", "2", "0", "1", "2"}), {"row 5, column onset", "does not come after", "trial"});
}

// Two per cent of overlap is no rounding: the rows drift from the windows.
TEST(ScoreWindows, RefusesWindowsThatDriftFromTheirLength) {
  std::string table = "onset\tduration\ta\tb\n";
  for (int i = 0; i < 100; ++i) table += number_text(0.98 * i, 9) + "\t1\t0\t0\n";
  expect_bad(table, {"column onset"});
}

TEST(ScoreWindows, RefusesAnyOtherSpacing) {
  expect_bad(with_onsets({"0", "1", "2", "3.4", "4.4"}),
             {"row 5, column onset", "1.4 s after the row before", "whole number"});
  expect_bad(with_onsets({"0", "1", "2", "12.5", "13.5"}), {"row 5, column onset", "10.5 s after the row before"});
}

TEST(ScoreWindows, RefusesMissingAndAbsurdOnsets) {
  expect_bad(with_onsets({"0", "n/a", "2"}), {"row 3, column onset", "needs its onset"});
  expect_bad(with_onsets({"0", "1", "2", "1000000000"}), {"row 5, column onset", "missing windows", "too many"});
  expect_bad(with_onsets({"0", "1", "2", "1e300"}), {"row 5, column onset"});
  expect_bad(with_onsets({"-1e308", "1e308"}), {"row 3, column onset"});
  // The bound is on the file, not on each gap.
  std::string table = "onset\ttrial\ta\tb\n";
  for (int k = 0; k < 3; ++k) {
    for (const std::string_view onset : {"0", "1", "50000"}) {
      table.append(onset).append("\t").append(std::to_string(k)).append("\t0\t0\n");
    }
  }
  expect_bad(table, {"row 10, column onset", "too many"});
}

TEST(ScoreWindows, AGapAllowedByTheBoundIsFilled) {
  EXPECT_EQ(only_trial(with_onsets({"0", "1", "2", "100000"})).scores.values.rows(), 100001);
}

// Thirds of a second written with three decimals, over twenty minutes: no drift, nothing missing.
TEST(ScoreWindows, RoundedOnsetsDoNotDrift) {
  for (const std::string_view duration : {"", "0.333"}) {
    std::string table = duration.empty() ? "onset\ta\tb\n" : "onset\tduration\ta\tb\n";
    for (int i = 0; i < 3600; ++i) {
      if (i == 1800) continue;
      table += number_text(std::round(i * 1000 / 3.0) / 1000, 9) + "\t";
      if (!duration.empty()) table.append(duration).append("\t");
      table += "0\t0\n";
    }
    const ScoredTrial trial = only_trial(table);
    EXPECT_EQ(trial.scores.values.rows(), 3600);
    EXPECT_NEAR(trial.scores.window.value, 1.0 / 3, duration.empty() ? 1e-6 : 1e-3);
    EXPECT_TRUE(trial.scores.values.row(1800).array().isNaN().all());
    EXPECT_EQ(trial.scores.values.array().isNaN().count(), 2);
  }
}

// Any pattern of kept windows is found again, whatever the window length and first onset.
RC_GTEST_PROP(ScoreWindows, KeptWindowsComeBackWhereTheyWere, ()) {
  const double window = *rc::gen::element(0.25, 0.1, 1.0, 5.0, 0.0625);
  const double begin = *rc::gen::element(0.0, 12.5, -3.0, 4000.0);
  const auto kept = *rc::gen::container<std::vector<bool>>(40, rc::gen::arbitrary<bool>());
  std::string table = "onset\tduration\ta\tb\n";
  std::vector<Index> places{0};
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (kept[i]) places.push_back(static_cast<Index>(i));
  }
  for (const Index place : places) {
    const double onset = begin + (window * static_cast<double>(place));
    table += number_text(onset, 9) + "\t" + number_text(window) + "\t" + std::to_string(place) + "\t0\n";
  }
  const ScoredTrial trial = parse_scores(table).participant.trials.at(0);
  RC_ASSERT(trial.scores.values.rows() == places.back() + 1);
  std::size_t next = 0;
  for (Index t = 0; t < trial.scores.values.rows(); ++t) {
    if (t == places[next]) {
      RC_ASSERT(trial.scores.values(t, 0) == static_cast<double>(t));
      ++next;
    } else {
      RC_ASSERT(std::isnan(trial.scores.values(t, 0)));
    }
  }
}

}  // namespace
}  // namespace heed::io
