// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/emission/independence.h>
#include <heed/pipeline/compare.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/track_participant.h>
#include <pipeline/trials.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace heed::pipeline {
namespace {

using track::Method;

const std::vector<ScoredParticipant>& cohort() {
  static const auto participants = sim::simulate_scores({.participants = 5, .trials = 2, .seed = 8});
  return participants;
}

const MethodResult& result_of(const Comparison& comparison, Method method) {
  for (const MethodResult& one : comparison.methods) {
    if (one.method == method) return one;
  }
  throw std::logic_error("not compared");
}

TEST(Compare, OnePlainWayGivesTheSameFigures) {
  const Comparison comparison = compare(cohort(), {.methods = {Method::raw, Method::smooth}});
  const auto emissions = leave_one_out_emissions({}, cohort());
  const track::SmoothTracker tracker{hmm::Chain::sticky(2, 0.001)};
  double sum = 0;
  for (std::size_t k = 0; k < cohort().size(); ++k) {
    const auto metrics = evaluate::measure_participant(track_participant(cohort()[k], emissions[k], tracker));
    EXPECT_EQ(comparison.methods[1].participants[k].metrics.accuracy, metrics.accuracy);
    sum += *metrics.accuracy;
  }
  EXPECT_NEAR(*comparison.methods[1].accuracy.mean, sum / 5, 1e-15);
  EXPECT_FALSE(comparison.methods[0].accuracy_test) << "the first is not tested against itself";
  EXPECT_TRUE(comparison.methods[1].accuracy_test);
}

TEST(Compare, OrdersTheMethodsAsThePaperDoes) {
  const Comparison comparison = compare(cohort(), {});
  EXPECT_EQ(comparison.methods.size(), track::all_methods().size());
  const double raw = *result_of(comparison, Method::raw).accuracy.mean;
  const double causal = *result_of(comparison, Method::causal).accuracy.mean;
  const double smooth = *result_of(comparison, Method::smooth).accuracy.mean;
  EXPECT_NEAR(raw, 0.58, 0.05);
  EXPECT_GT(causal, raw + 0.2);
  EXPECT_GT(smooth, causal);
  EXPECT_EQ(comparison.chance, 0.5);
}

TEST(Compare, FixedArtificialSwitchesDoNotDependOnTheSeed) {
  CompareOptions options{.methods = {Method::causal}};
  options.trial = Seconds{300};
  options.switch_every = SwitchInterval{Seconds{100}, Seconds{100}};
  const Comparison first = compare(cohort(), options);
  options.seed = 99;
  const Comparison second = compare(cohort(), options);
  EXPECT_EQ(first.methods[0].switches, 5 * 4 * 2);
  EXPECT_EQ(first.methods[0].accuracy.mean, second.methods[0].accuracy.mean);
}

TEST(Compare, RepeatsAverageDrawsOfRandomIntervals) {
  CompareOptions options{.methods = {Method::causal}, .join = true};
  options.switch_every = SwitchInterval{Seconds{60}, Seconds{125}};
  options.seed = 4;
  const auto accuracy = [&](int repeats) {
    options.repeats = repeats;
    return *compare(cohort(), options).methods[0].accuracy.mean;
  };
  EXPECT_NE(accuracy(1), accuracy(2));
  EXPECT_EQ(accuracy(3), accuracy(3)) << "same seed, same bytes";
}

TEST(Compare, WithoutSwitchesThereIsNoSwitchTime) {
  auto participants = sim::simulate_scores({.participants = 2, .trials = 1, .interval = {Seconds{900}, Seconds{900}}});
  const Comparison comparison = compare(participants, {.methods = {Method::causal}});
  EXPECT_TRUE(comparison.methods[0].accuracy.mean);
  EXPECT_FALSE(comparison.methods[0].switch_time.mean);
}

TEST(Compare, SaysWhenNeighbouringWindowsRepeatEachOther) {
  const Comparison good = compare(cohort(), {.methods = {Method::causal}});
  EXPECT_TRUE(good.notes.empty()) << good.notes.front();
  ASSERT_EQ(good.lag_correlations.size(), 10U);
  EXPECT_NEAR(*good.lag_correlations[0], 0.04, 0.03);
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  const Comparison bad = compare(repeating, {.methods = {Method::causal}});
  EXPECT_NEAR(*bad.lag_correlations[0], 0.7, 0.05);
  ASSERT_EQ(bad.notes.size(), 1U);
  for (const char* words : {"not independent", "over-confident", "calibrate", "longer windows"}) {
    EXPECT_NE(bad.notes[0].find(words), std::string::npos) << words;
  }
}

TEST(Compare, LooksForDependenceInWhatWasRecorded) {
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  CompareOptions options{.methods = {Method::causal}};
  const auto recorded = emission::lag_correlations(repeating);
  options.switch_every = SwitchInterval{Seconds{5}, Seconds{5}};
  options.trial = Seconds{100};
  const Comparison switching = compare(repeating, options);
  EXPECT_EQ(switching.lag_correlations, recorded) << "artificial switches and shorter trials change no pair";
  EXPECT_TRUE(switching.lag_correlations[9]) << "with a switch every five windows no pair would be left";
}

TEST(Compare, DoesNotAdviseTheCalibrationThatWasDone) {
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  CompareOptions options{.methods = {Method::causal, Method::raw, Method::markov_chain}};
  options.emission.calibrate = true;
  const Comparison comparison = compare(repeating, options);
  ASSERT_EQ(comparison.notes.size(), 1U);
  EXPECT_NE(comparison.notes[0].find("makes up for it"), std::string::npos) << comparison.notes[0];
  EXPECT_EQ(comparison.notes[0].find("calibrate the emission"), std::string::npos) << comparison.notes[0];
}

TEST(Compare, TellsWhatCalibrationChanged) {
  CompareOptions options{.methods = {Method::causal, Method::markov_chain}};
  options.emission.given = GaussianEmission{true, Spread::shared, 0.124, 0.037, 0.15, 0.15, 0};
  const Comparison plain = compare(cohort(), options);
  EXPECT_FALSE(plain.methods[0].uncalibrated);
  options.emission.calibrate = true;
  const Comparison tempered = compare(cohort(), options);
  EXPECT_FALSE(tempered.methods[1].uncalibrated) << "the Markov chain has no emission to calibrate";
  const MethodResult& causal = tempered.methods[0];
  ASSERT_TRUE(causal.uncalibrated);
  double brier = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    const CalibrationErrors& before = plain.methods[0].participants[k].calibration;
    EXPECT_EQ(causal.participants[k].uncalibrated->brier, before.brier);
    EXPECT_EQ(causal.participants[k].uncalibrated->expected, before.expected);
    brier += *causal.participants[k].calibration.brier / 5;
  }
  EXPECT_EQ(causal.uncalibrated->expected, plain.methods[0].calibration.expected);
  EXPECT_NEAR(*causal.calibration.brier, brier, 1e-15);
  EXPECT_LT(*causal.calibration.brier, *causal.uncalibrated->brier);
  EXPECT_LT(*causal.calibration.expected, *causal.uncalibrated->expected);
}

TEST(Compare, CalibratesOnTheOthersAsTheySwitch) {
  CompareOptions options{.methods = {Method::causal}};
  options.emission.given = GaussianEmission{true, Spread::shared, 0.124, 0.037, 0.15, 0.15, 0};  // sigma is 0.303
  const Comparison plain = compare(cohort(), options);
  EXPECT_EQ(plain.temperatures, std::vector<double>(5, 1));
  options.emission.calibrate = true;
  const Comparison recorded = compare(cohort(), options);
  for (const double temperature : recorded.temperatures) EXPECT_GT(temperature, 1.5);
  EXPECT_NE(recorded.temperatures[0], recorded.temperatures[1]);
  options.switch_every = SwitchInterval{Seconds{30}, Seconds{30}};
  EXPECT_NE(compare(cohort(), options).temperatures[0], recorded.temperatures[0]);
}

TEST(Compare, LearnsWithoutLabelsFromWhatItTracks) {
  CompareOptions options{.methods = {Method::smooth}};
  options.emission.fit = EmissionFit::baum_welch;
  const auto strong = sim::simulate_scores({.participants = 3, .trials = 2, .accuracy = 0.7, .seed = 2});
  EXPECT_GT(*compare(strong, options).methods[0].accuracy.mean, 0.97);
  EXPECT_EQ(compare(std::span(strong).first(1), options).methods[0].participants.size(), 1U) << "nobody is left out";
}

TEST(Compare, RefusesWhatCannotBeMeasured) {
  auto unlabelled = cohort();
  for (auto& trial : unlabelled[2].trials) trial.attention.attended.assign(trial.attention.attended.size(), -1);
  EXPECT_THROW((void)compare(unlabelled, {}), Error);
  EXPECT_THROW((void)compare({}, {}), Error);
  EXPECT_THROW((void)compare(cohort(), {.repeats = 0}), Error);
  auto different = cohort();
  different[1].trials[0].scores.window = Seconds{2};
  EXPECT_THROW((void)compare(different, {}), Error);
}

TEST(Compare, TellsHowFarItIsWhileModelsAreFittedTooAndMayBeEnded) {
  std::vector<std::size_t> told;
  const CompareOptions options{.methods = {Method::raw}, .repeats = 1};
  (void)compare(cohort(), options, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 5U);
    told.push_back(done);
  });
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 0, 0, 0, 0, 1, 2, 3, 4, 5}));
  const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
  EXPECT_THROW((void)compare(cohort(), options, stop), std::runtime_error);
}

}  // namespace
}  // namespace heed::pipeline
