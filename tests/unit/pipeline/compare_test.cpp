// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/pipeline/compare.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/model_fit.h>
#include <pipeline/track_participant.h>
#include <pipeline/trials.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "support/expect_error.h"

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

// A request on these participants.
Comparison compare(std::span<const ScoredParticipant> participants, CompareRequest request,
                   const Progress& progress = {}) {
  request.participants = participants;
  request.progress = progress;
  return pipeline::compare(request);
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
  CompareRequest request{.methods = {Method::causal}};
  request.trial = Seconds{300};
  request.switch_every = SwitchInterval{Seconds{100}, Seconds{100}};
  const Comparison first = compare(cohort(), request);
  request.seed = 99;
  const Comparison second = compare(cohort(), request);
  EXPECT_EQ(first.methods[0].switches, 5 * 4 * 2);
  EXPECT_EQ(first.methods[0].accuracy.mean, second.methods[0].accuracy.mean);
}

TEST(Compare, RepeatsAverageDrawsOfRandomIntervals) {
  CompareRequest request{.methods = {Method::causal}, .join = true};
  request.switch_every = SwitchInterval{Seconds{60}, Seconds{125}};
  request.seed = 4;
  const auto accuracy = [&](int repeats) {
    request.repeats = repeats;
    return *compare(cohort(), request).methods[0].accuracy.mean;
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
  EXPECT_TRUE(good.notes.empty()) << good.notes.front().text;
  ASSERT_EQ(good.lag_correlations.size(), 10U);
  EXPECT_NEAR(*good.lag_correlations[0], 0.04, 0.03);
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  const Comparison bad = compare(repeating, {.methods = {Method::causal}});
  EXPECT_NEAR(*bad.lag_correlations[0], 0.7, 0.05);
  ASSERT_EQ(bad.notes.size(), 1U);
  for (const char* words : {"not independent", "over-confident", "calibrate", "longer windows"}) {
    EXPECT_NE(bad.notes[0].text.find(words), std::string::npos) << words;
  }
}

TEST(Compare, LooksForDependenceInWhatWasRecorded) {
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  CompareRequest request{.methods = {Method::causal}};
  const auto recorded = emission::lag_correlations(repeating);
  request.switch_every = SwitchInterval{Seconds{5}, Seconds{5}};
  request.trial = Seconds{100};
  const Comparison switching = compare(repeating, request);
  EXPECT_EQ(switching.lag_correlations, recorded) << "artificial switches and shorter trials change no pair";
  EXPECT_TRUE(switching.lag_correlations[9]) << "with a switch every five windows no pair would be left";
}

// What a comparison without the dependence gives is the oracle.
TEST(Compare, PutsWindowsTakenForIndependentBesideModelsThatKnowBetter) {
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.88, .seed = 8});
  CompareRequest request{.methods = {Method::raw, Method::causal, Method::smooth}};
  request.switch_every = SwitchInterval{Seconds{100}, Seconds{200}};
  request.repeats = 3;
  const Comparison plain = compare(repeating, request);
  request.emission.dependence = DependenceChoice::automatic;
  const Comparison known = compare(repeating, request);
  EXPECT_TRUE(known.methods[0].independent.empty()) << "raw knows no neighbours";
  for (const std::size_t m : {1U, 2U}) {
    EXPECT_TRUE(plain.methods[m].independent.empty());
    const MethodFigures expected = figures_of(plain.methods[m].participants);
    const MethodFigures beside = figures_of(known.methods[m].independent);
    EXPECT_EQ(beside.whole_accuracy, expected.whole_accuracy);
    EXPECT_EQ(beside.whole_accuracy, plain.methods[m].whole_accuracy.mean);
    EXPECT_EQ(beside.switch_time, plain.methods[m].switch_time.mean);
    EXPECT_EQ(beside.missed, plain.methods[m].missed);
    EXPECT_EQ(beside.log_loss, expected.log_loss);
    EXPECT_EQ(beside.calibration_error, plain.methods[m].calibration.expected);
    const MethodFigures repeated = figures_of(known.methods[m].participants);
    EXPECT_LT(*repeated.log_loss, *beside.log_loss);
    EXPECT_LT(*repeated.calibration_error, *beside.calibration_error);
  }
  EXPECT_NE(known.evidence_words.find("counted by the model"), std::string::npos) << known.evidence_words;
  EXPECT_NE(plain.evidence_words.find("but neighbours repeat each other"), std::string::npos) << plain.evidence_words;
}

TEST(Compare, DoesNotAdviseTheCalibrationThatWasDone) {
  const auto repeating = sim::simulate_scores({.participants = 3, .trials = 2, .autocorrelation = 0.7, .seed = 8});
  CompareRequest request{.methods = {Method::causal, Method::raw, Method::markov_chain}};
  request.emission.calibrate = true;
  const Comparison comparison = compare(repeating, request);
  ASSERT_EQ(comparison.notes.size(), 1U);
  EXPECT_NE(comparison.notes[0].text.find("makes up for most of it"), std::string::npos) << comparison.notes[0].text;
  EXPECT_EQ(comparison.notes[0].text.find("calibrate the emission"), std::string::npos) << comparison.notes[0].text;
}

TEST(Compare, TellsWhatCalibrationChanged) {
  CompareRequest request{.methods = {Method::causal, Method::markov_chain}};
  request.emission.given = GaussianEmission{true, Spread::shared, 0.124, 0.037, 0.15, 0.15, 0};
  const Comparison plain = compare(cohort(), request);
  EXPECT_FALSE(plain.methods[0].uncalibrated);
  request.emission.calibrate = true;
  const Comparison tempered = compare(cohort(), request);
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
  CompareRequest request{.methods = {Method::causal}};
  request.emission.given = GaussianEmission{true, Spread::shared, 0.124, 0.037, 0.15, 0.15, 0};  // sigma is 0.303
  const Comparison plain = compare(cohort(), request);
  EXPECT_EQ(plain.temperatures, std::vector<double>(5, 1));
  request.emission.calibrate = true;
  const Comparison recorded = compare(cohort(), request);
  for (const double temperature : recorded.temperatures) EXPECT_GT(temperature, 1.5);
  EXPECT_NE(recorded.temperatures[0], recorded.temperatures[1]);
  request.switch_every = SwitchInterval{Seconds{30}, Seconds{30}};
  EXPECT_NE(compare(cohort(), request).temperatures[0], recorded.temperatures[0]);
}

TEST(Compare, LearnsWithoutLabelsFromWhatItTracks) {
  CompareRequest request{.methods = {Method::smooth}};
  request.emission.fit = EmissionFit::baum_welch;
  const auto strong = sim::simulate_scores({.participants = 3, .trials = 2, .accuracy = 0.7, .seed = 2});
  EXPECT_GT(*compare(strong, request).methods[0].accuracy.mean, 0.97);
  EXPECT_EQ(compare(std::span(strong).first(1), request).methods[0].participants.size(), 1U) << "nobody is left out";
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
  different = cohort();
  for (auto& trial : different[1].trials) trial.scores.hop = Seconds{0.5};
  test::expect_error(ErrorKind::bad_data, {"differ in", "hop"}, [&] { (void)compare(different, {}); });
}

TEST(Compare, TellsHowFarItIsWhileModelsAreFittedTooAndMayBeEnded) {
  std::vector<std::size_t> told;
  const CompareRequest request{.methods = {Method::raw}, .repeats = 1};
  (void)compare(cohort(), request, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 5U);
    told.push_back(done);
  });
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 0, 0, 0, 0, 1, 2, 3, 4, 5}));
  const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
  EXPECT_THROW((void)compare(cohort(), request, stop), std::runtime_error);
}

Comparison trade_off(std::span<const ScoredParticipant> participants, CompareRequest request,
                     const std::vector<double>& probabilities, const Progress& progress = {}) {
  request.switch_probabilities = probabilities;
  return compare(participants, std::move(request), progress);
}

TEST(TradeOff, ThePapersProbabilities) {
  const auto grid = paper_switch_probabilities();
  ASSERT_EQ(grid.size(), 13U);
  EXPECT_NEAR(grid.front(), 1e-4, 1e-16);
  EXPECT_NEAR(grid[4], 1e-3, 1e-15);
  EXPECT_NEAR(grid.back(), 0.1, 1e-13);
}

TEST(TradeOff, EveryPointIsTheComparisonAtItsProbability) {
  CompareRequest request{.methods = {Method::smooth, Method::raw, Method::causal, Method::fixed_lag, Method::viterbi}};
  request.method.lag = Seconds{9};
  request.switch_every = SwitchInterval{Seconds{60}, Seconds{125}};
  request.join = true;
  request.repeats = 2;
  const std::vector<double> grid{0.03, 0.0001};
  const Comparison result = trade_off(cohort(), request, grid);
  EXPECT_EQ(result.switch_probability, 0.001);
  ASSERT_EQ(result.methods.size(), 5U);
  for (std::size_t m = 0; m < 5; ++m) {
    if (request.methods[m] == Method::raw) {
      EXPECT_TRUE(result.methods[m].curve.empty());
      continue;
    }
    ASSERT_EQ(result.methods[m].curve.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      const double p = std::vector{0.0001, 0.001, 0.03}[k];
      request.chain.switch_probability = p;
      const MethodResult alone = compare(cohort(), request).methods[m];
      EXPECT_EQ(result.methods[m].curve[k].switch_probability, p) << "rising, the one in use among them";
      EXPECT_EQ(result.methods[m].curve[k].accuracy.mean, alone.accuracy.mean);
      EXPECT_EQ(result.methods[m].curve[k].accuracy.sd, alone.accuracy.sd);
      EXPECT_EQ(result.methods[m].curve[k].switch_time.mean, alone.switch_time.mean);
    }
  }
}

TEST(TradeOff, TheComparisonIsThatOfCompare) {
  const Comparison result = trade_off(cohort(), {}, paper_switch_probabilities());
  const Comparison alone = compare(cohort(), {});
  ASSERT_EQ(result.methods.size(), alone.methods.size());
  for (std::size_t m = 0; m < alone.methods.size(); ++m) {
    EXPECT_EQ(result.methods[m].method, alone.methods[m].method);
    EXPECT_EQ(result.methods[m].accuracy.mean, alone.methods[m].accuracy.mean);
    EXPECT_EQ(result.methods[m].switch_time.mean, alone.methods[m].switch_time.mean);
    const bool has_chain = track::needs(alone.methods[m].method).chain;
    EXPECT_EQ(result.methods[m].curve.size(), has_chain ? 13U : 0U) << "0.001 is in use and not run twice";
  }
  EXPECT_EQ(result.speakers, 2U);
  EXPECT_EQ(result.chance, 0.5);
}

TEST(TradeOff, AHigherProbabilityIsQuickerAndLessSteady) {
  const Comparison result = trade_off(cohort(), {.methods = {Method::causal}}, paper_switch_probabilities());
  const auto& curve = result.methods.front().curve;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    EXPECT_LT(*curve[k].switch_time.mean, *curve[k - 1].switch_time.mean + 1) << k;
    if (curve[k].switch_probability > 0.003) {
      EXPECT_LT(*curve[k].accuracy.mean, *curve[k - 1].accuracy.mean) << k;
    }
  }
  EXPECT_LT(*curve.back().switch_time.mean, 0.2 * *curve.front().switch_time.mean);
}

// With a p nobody knows the curve is that of fixed ones, beside which the bank stands.
TEST(TradeOff, OfAnUnknownProbabilityIsThatOfKnownOnes) {
  CompareRequest request{.methods = {Method::causal, Method::raw}};
  request.switch_every = SwitchInterval{Seconds{30}, Seconds{30}};
  const std::vector<double> grid{0.001, 0.03};
  const Comparison known = trade_off(cohort(), request, grid);
  request.chain.unknown_switch_probability = true;
  const Comparison unknown = trade_off(cohort(), request, grid);
  EXPECT_FALSE(unknown.switch_probability);
  ASSERT_EQ(unknown.methods[0].curve.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(unknown.methods[0].curve[k].accuracy.mean, known.methods[0].curve[k].accuracy.mean);
  }
  EXPECT_NE(unknown.methods[0].accuracy.mean, known.methods[0].accuracy.mean);
  EXPECT_EQ(unknown.methods[1].accuracy.mean, known.methods[1].accuracy.mean) << "raw has no p";
  ASSERT_EQ(unknown.switching.size(), cohort().size());
  for (const SwitchPosterior& one : unknown.switching) {
    EXPECT_NEAR(std::accumulate(one.weights.begin(), one.weights.end(), 0.0), 1, 1e-9);
  }
  EXPECT_TRUE(known.switching.empty());
  EXPECT_NE(comparison_json(unknown).find("\"switching\": ["), std::string::npos);
  EXPECT_EQ(comparison_json(known).find("switching"), std::string::npos);
}

TEST(Compare, CannotCalibrateWhileTheSwitchProbabilityIsUnknown) {
  CompareRequest request{.methods = {Method::causal}};
  request.chain.unknown_switch_probability = true;
  request.emission.calibrate = true;
  test::expect_error(ErrorKind::invalid_argument, {"a temperature is fitted at one switch probability"},
                     [&] { (void)compare(cohort(), request); });
}

TEST(Compare, AveragesWhatDrawsSayOfTheSwitchProbability) {
  CompareRequest request{.methods = {Method::raw, Method::causal, Method::smooth}, .repeats = 3};
  request.switch_every = SwitchInterval{Seconds{20}, Seconds{60}};
  request.join = true;
  request.chain.unknown_switch_probability = true;
  const Comparison comparison = compare(cohort(), request);
  ASSERT_EQ(comparison.switching.size(), cohort().size()) << "one per participant, whatever the methods";
  for (const SwitchPosterior& one : comparison.switching) {
    EXPECT_NEAR(std::accumulate(one.weights.begin(), one.weights.end(), 0.0), 1, 1e-9);
  }
}

TEST(TradeOff, WithAWholeMatrixThereIsNothingToSweep) {
  CompareRequest request{.methods = {Method::causal, Method::smooth}};
  request.chain.transition = Matrix{{0.99, 0.01}, {0.02, 0.98}};
  const Comparison result = trade_off(cohort(), request, paper_switch_probabilities());
  EXPECT_FALSE(result.switch_probability);
  for (const MethodResult& method : result.methods) EXPECT_TRUE(method.curve.empty());
}

TEST(TradeOff, TakesOnlyProbabilitiesAChainCanHave) {
  const CompareRequest request{.methods = {Method::causal}};
  const std::vector<double> high{0.5, 0.51, 2};
  const Comparison result = trade_off(cohort(), request, high);
  ASSERT_EQ(result.methods.front().curve.size(), 2U);
  EXPECT_EQ(result.methods.front().curve[1].switch_probability, 0.5) << "1/N is one";
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    try {
      (void)trade_off(cohort(), request, std::vector{bad});
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
    }
  }
}

TEST(TradeOff, TellsItsProgress) {
  std::vector<std::size_t> seen;
  CompareRequest request{.methods = {Method::causal}};
  request.repeats = 3;
  request.switch_every = SwitchInterval{Seconds{60}, Seconds{125}};
  (void)trade_off(cohort(), request, std::vector{0.01}, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 15U);
    seen.push_back(done);
  });
  ASSERT_EQ(seen.size(), 5U + 15U) << "five models, fifteen turns";
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 15U);
}

}  // namespace
}  // namespace heed::pipeline
