// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/switch_metric.h>

#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <vector>

namespace heed::evaluate {
namespace {

constexpr double rounding = 1e-14;  // relative, of a handful of sums

SwitchOutcome detected(double signed_time, double first_hit) {
  SwitchOutcome outcome;
  outcome.detected = 0;
  outcome.signed_time = Seconds{signed_time};
  outcome.time = Seconds{signed_time < 0 ? -signed_time : signed_time};
  outcome.first_hit_time = Seconds{first_hit};
  return outcome;
}

SwitchOutcome missed(double length) {
  SwitchOutcome outcome = detected(length, length);
  outcome.detected.reset();
  return outcome;
}

TrialMetrics trial_of(Index windows, Index correct) {
  TrialMetrics trial;
  trial.steady_windows = trial.labelled_windows = windows;
  trial.steady_correct = trial.labelled_correct = correct;
  trial.window = Seconds{2};
  trial.labelled = static_cast<double>(windows) * trial.window;
  return trial;
}

TEST(ParticipantMetrics, PoolsWindowsAndSwitchesNotTrials) {
  std::vector<TrialMetrics> trials{trial_of(90, 81), trial_of(30, 12)};
  trials[0].steady_windows = 80;
  trials[0].steady_correct = 76;
  trials[0].false_switches = 5;
  trials[0].switches = {detected(-4, 0), detected(10, 10), missed(60)};
  trials[1].switches = {detected(6, 6)};
  const ParticipantMetrics metrics = pool(trials, Seconds{5});

  EXPECT_DOUBLE_EQ(metrics.accuracy.value(), 88.0 / 110);
  EXPECT_DOUBLE_EQ(metrics.whole_accuracy.value(), 93.0 / 120);
  EXPECT_DOUBLE_EQ(metrics.switch_time.value(), 20);
  EXPECT_DOUBLE_EQ(metrics.median_switch_time.value(), 8);  // of 4 6 10 60
  EXPECT_DOUBLE_EQ(metrics.signed_switch_time.value(), 18);
  EXPECT_DOUBLE_EQ(metrics.first_hit_time.value(), 19);
  EXPECT_DOUBLE_EQ(metrics.decided_time.value(), 22);
  EXPECT_DOUBLE_EQ(metrics.latency_inclusive_time.value(), 27);
  EXPECT_DOUBLE_EQ(metrics.miss_rate.value(), 0.25);
  EXPECT_DOUBLE_EQ(metrics.false_switch_rate.value(), 5.0 / 4);  // 240 s
  EXPECT_EQ(metrics.windows, 120);
  EXPECT_EQ(metrics.steady_windows, 110);
  EXPECT_EQ(metrics.switches, 4);
  EXPECT_EQ(metrics.missed, 1);
  EXPECT_EQ(metrics.false_switches, 5);
}

TEST(ParticipantMetrics, OddMedian) {
  std::vector<TrialMetrics> trials{trial_of(10, 5)};
  trials[0].switches = {detected(7, 7), detected(-1, 0), detected(30, 30)};
  EXPECT_EQ(pool(trials).median_switch_time, 7);
}

TEST(ParticipantMetrics, WhatDoesNotExistIsNothing) {
  const auto without_switch = pool(std::vector<TrialMetrics>{trial_of(10, 9)});
  EXPECT_EQ(without_switch.accuracy, 0.9);
  EXPECT_EQ(without_switch.false_switch_rate, 0);
  EXPECT_FALSE(without_switch.switch_time);
  EXPECT_FALSE(without_switch.median_switch_time);
  EXPECT_FALSE(without_switch.signed_switch_time);
  EXPECT_FALSE(without_switch.first_hit_time);
  EXPECT_FALSE(without_switch.latency_inclusive_time);
  EXPECT_FALSE(without_switch.miss_rate);

  for (const auto& empty : {pool({}), pool(std::vector<TrialMetrics>{trial_of(0, 0)})}) {
    EXPECT_FALSE(empty.accuracy);
    EXPECT_FALSE(empty.whole_accuracy);
    EXPECT_FALSE(empty.false_switch_rate);
    EXPECT_EQ(empty.windows, 0);
  }
}

TEST(ParticipantMetrics, AnOfflineSmootherHasNoLatency) {
  std::vector<TrialMetrics> trials{trial_of(10, 5)};
  trials[0].switches = {detected(7, 7)};
  const auto metrics = pool(trials, Seconds{std::numeric_limits<double>::infinity()});
  EXPECT_FALSE(metrics.latency_inclusive_time);
  EXPECT_EQ(metrics.switch_time, 7);
  EXPECT_EQ(metrics.decided_time, 7 + trials[0].window.value) << "but its windows have an end";
}

TEST(ParticipantMetrics, MixedWindowsAndNegativeLookAheadAreRefused) {
  std::vector<TrialMetrics> trials{trial_of(10, 5), trial_of(10, 5)};
  EXPECT_THROW(pool(trials, Seconds{-1}), Error);
  trials[1].window = Seconds{1};
  try {
    (void)pool(trials);
    FAIL() << "windows of 1 s and 2 s were pooled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(std::string_view(error.what()).find("trial 2"), std::string_view::npos) << error.what();
  }
}

TEST(ParticipantMetrics, AverageTakesEachMeasureWhereItExists) {
  ParticipantMetrics first;
  first.accuracy = 0.8;
  first.switch_time = 10;
  first.windows = 100;
  first.switches = 2;
  first.missed = 1;
  ParticipantMetrics second;
  second.accuracy = 0.9;
  second.windows = 100;
  second.switches = 0;
  const auto mean = average(std::vector{first, second});
  EXPECT_NEAR(mean.accuracy.value(), 0.85, rounding);
  EXPECT_EQ(mean.switch_time, 10);
  EXPECT_FALSE(mean.first_hit_time);
  EXPECT_EQ(mean.windows, 100);
  EXPECT_EQ(mean.switches, 1);
  EXPECT_EQ(mean.missed, 0.5);
  EXPECT_FALSE(average({}).accuracy);
}

// Every measure and count takes part in the average: none was forgotten.
TEST(ParticipantMetrics, AverageOfOneIsItself) {
  std::vector<TrialMetrics> trials{trial_of(90, 81)};
  trials[0].false_switches = 3;
  trials[0].switches = {detected(-4, 0), missed(60)};
  const auto one = pool(trials, Seconds{1});
  const auto same = average(std::vector{one});
  EXPECT_EQ(same.accuracy, one.accuracy);
  EXPECT_EQ(same.whole_accuracy, one.whole_accuracy);
  EXPECT_EQ(same.switch_time, one.switch_time);
  EXPECT_EQ(same.median_switch_time, one.median_switch_time);
  EXPECT_EQ(same.signed_switch_time, one.signed_switch_time);
  EXPECT_EQ(same.first_hit_time, one.first_hit_time);
  EXPECT_EQ(same.latency_inclusive_time, one.latency_inclusive_time);
  EXPECT_EQ(same.miss_rate, one.miss_rate);
  EXPECT_EQ(same.false_switch_rate, one.false_switch_rate);
  EXPECT_EQ(same.windows, one.windows);
  EXPECT_EQ(same.steady_windows, one.steady_windows);
  EXPECT_EQ(same.switches, one.switches);
  EXPECT_EQ(same.missed, one.missed);
  EXPECT_EQ(same.false_switches, one.false_switches);
}

TrackedParticipant tracked() {
  TrackedParticipant participant;
  participant.id = "07";
  participant.look_ahead = Seconds{2};
  for (const std::vector<Speaker>& states : {std::vector<Speaker>{0, 0, 0, 1}, {1, 1, 1, 1}}) {
    TrackedTrial trial;
    trial.name = "run-" + std::to_string(participant.trials.size() + 1);
    trial.decisions.states = states;
    trial.attention.attended = {0, 0, 1, 1};
    participant.trials.push_back(trial);
  }
  return participant;
}

TEST(ParticipantMetrics, MeasuresEveryTrialOfAParticipant) {
  const auto metrics = measure_participant(tracked());
  EXPECT_DOUBLE_EQ(metrics.accuracy.value(), 5.0 / 7);
  EXPECT_DOUBLE_EQ(metrics.whole_accuracy.value(), 5.0 / 8);
  EXPECT_DOUBLE_EQ(metrics.switch_time.value(), 1.5);
  EXPECT_DOUBLE_EQ(metrics.signed_switch_time.value(), -0.5);
  EXPECT_DOUBLE_EQ(metrics.latency_inclusive_time.value(), 4.5);
}

TEST(ParticipantMetrics, AnErrorNamesParticipantAndTrial) {
  auto participant = tracked();
  participant.trials[1].attention.attended.pop_back();
  try {
    (void)measure_participant(participant);
    FAIL() << "a trial with too few labels was measured";
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find("participant 07, trial run-2: "), 0U) << error.what();
  }
}

TEST(Summary, PicksAMeasureOfTheCohort) {
  std::vector<ParticipantMetrics> cohort(3);
  cohort[0].switch_time = 10;
  cohort[2].switch_time = 20;
  const Summary summary = summarise(cohort, &ParticipantMetrics::switch_time);
  EXPECT_EQ(summary.count, 2U);
  EXPECT_EQ(summary.mean, 15);
  EXPECT_DOUBLE_EQ(summary.sd.value(), std::sqrt(50.0));
}

}  // namespace
}  // namespace heed::evaluate
