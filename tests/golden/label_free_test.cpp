// SPDX-License-Identifier: MIT
// Real scores without their labels, and calibration on held-out listeners: real ones, and simulated ones whose
// emission is over-confident.
#include <gtest/gtest.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/label_free.h>
#include <heed/emission/supervised.h>
#include <heed/pipeline/compare.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/trials.h>

#include <cmath>
#include <vector>

#include "support/compare_on.h"
#include "support/real_data.h"

namespace heed {
namespace {

using pipeline::CompareRequest;
using pipeline::Comparison;
using pipeline::EmissionFit;
using test::compare_on;
using track::Method;

constexpr const char* one_second = "_window-01s_scores.tsv";

class LabelFree : public test::RealData {};
class Calibrated : public test::RealData {};

CompareRequest ten_minutes_with_a_switch() {
  CompareRequest options;
  options.methods = {Method::causal, Method::smooth};
  options.trial = Seconds{600};
  options.switch_every = SwitchInterval{Seconds{300}, Seconds{300}};
  return options;
}

struct Calibration {
  double error = 0;
  double brier = 0;
};

Calibration causal_calibration(const Comparison& comparison) {
  Calibration mean;
  const auto& participants = comparison.methods.front().participants;
  for (const auto& participant : participants) {
    mean.error += *participant.calibration.expected / static_cast<double>(participants.size());
    mean.brier += *participant.calibration.brier / static_cast<double>(participants.size());
  }
  return mean;
}

TEST_F(LabelFree, BaumWelchIsWithinAPointOfTheLabels) {
  const auto participants = read("kul-scores", one_second);
  ASSERT_EQ(participants.size(), 8U);
  CompareRequest options = ten_minutes_with_a_switch();
  const Comparison labels = compare_on(participants, options);
  options.emission.fit = EmissionFit::baum_welch;
  const Comparison alone = compare_on(participants, options);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_NEAR(*alone.methods[m].accuracy.mean, *labels.methods[m].accuracy.mean, 0.01)
        << track::name(labels.methods[m].method);
  }
  ASSERT_EQ(alone.notes.size(), 1U);
  EXPECT_NE(alone.notes.front().text.find("transductive"), std::string::npos) << alone.notes.front().text;
}

TEST_F(LabelFree, BaumWelchFindsTheDifferenceOfTheMeansOfEveryListener) {
  const auto chain = hmm::Chain::sticky(2, 0.001);
  const CompareRequest options = ten_minutes_with_a_switch();
  for (const ScoredParticipant& recorded : read("kul-scores", one_second)) {
    ScoredParticipant participant = pipeline::with_artificial_switches(pipeline::cut_trials(recorded, *options.trial),
                                                                       *options.switch_every, pipeline::SwitchDraw{});
    const std::vector<emission::ScoreMoments> sums{emission::moments(participant, true)};
    const GaussianEmission labelled = emission::fit_gaussian(sums);
    for (ScoredTrial& trial : participant.trials) {
      trial.attention.attended.assign(trial.attention.attended.size(), unknown_speaker);
    }
    const auto fit = emission::fit_baum_welch(std::span(&participant, 1), chain);
    EXPECT_TRUE(fit.converged) << recorded.id;
    EXPECT_NEAR(fit.emission.mu_attended - fit.emission.mu_unattended, labelled.mu_attended - labelled.mu_unattended,
                0.01)
        << recorded.id;
    EXPECT_NEAR(fit.emission.sigma_attended, labelled.sigma_attended, 0.002) << recorded.id;
  }
}

// Of 16 listeners four degenerate at 1 s; three of them are among these eight.
TEST_F(LabelFree, MemorylessDegeneratesForSomeListeners) {
  int degenerate = 0;
  for (const ScoredParticipant& participant : read("kul-scores", one_second)) {
    degenerate += emission::fit_memoryless(std::span(&participant, 1)).degenerate ? 1 : 0;
  }
  EXPECT_EQ(degenerate, 3);
}

// Over 16 listeners .038 and .006.
TEST_F(LabelFree, NeighbouringWindowsAreNearlyIndependent) {
  const auto correlations = emission::lag_correlations(read("kul-scores", one_second));
  EXPECT_NEAR(*correlations[0], 0.038, 0.01);
  EXPECT_NEAR(*correlations[1], 0.006, 0.01);
}

// Their emission is right already: calibration must not spoil it. What it minimises is the log-loss, so the Brier
// score may not get worse; the binned error may, by no more than .005.
TEST_F(Calibrated, RealListenersAreNoWorse) {
  for (const bool kul : {true, false}) {
    CompareRequest options = kul ? ten_minutes_with_a_switch() : CompareRequest{.methods = {Method::causal}};
    const auto participants = kul ? read("kul-scores", one_second) : read("etard-scores", "_decoder-cnn_scores.tsv");
    const Calibration plain = causal_calibration(compare_on(participants, options));
    options.emission.calibrate = true;
    const Calibration tempered = causal_calibration(compare_on(participants, options));
    EXPECT_LE(tempered.error, plain.error + 0.005);
    EXPECT_LE(tempered.brier, plain.brier + 0.001);
  }
}

// sigma too small by the root of 2: every log-likelihood ratio is twice what it should be. The chain is right, and
// there are five hours a listener, so that what is left of the error is not chance.
TEST(CalibratedSimulation, HalvesTheErrorOfOverConfidentEmissionsOnHeldOutListeners) {
  const double accuracy = 0.65;
  const auto participants = sim::simulate_scores(
      {.participants = 8, .trials = 30, .accuracy = accuracy, .interval = {Seconds{60}, Seconds{540}}, .seed = 7});
  const double sigma = sim::score_sigma / std::sqrt(2);
  const double attended = sim::unattended_mean + (sim::score_sigma * sim::separation_for_accuracy(2, accuracy));
  CompareRequest options{.methods = {Method::causal}};
  options.chain.switch_probability = 1.0 / 300;
  options.emission.given = GaussianEmission{true, Spread::shared, attended, sim::unattended_mean, sigma, sigma, 0};
  const double plain = causal_calibration(compare_on(participants, options)).error;
  options.emission.calibrate = true;
  const Comparison calibrated = compare_on(participants, options);
  EXPECT_LE(causal_calibration(calibrated).error, plain / 2) << "uncalibrated " << plain;
  for (const double temperature : calibrated.temperatures) EXPECT_NEAR(temperature, 2, 0.4);
}

}  // namespace
}  // namespace heed
