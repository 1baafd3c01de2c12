// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/log_likelihoods.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;
using test::scored_participant;

// log b times `factor`, as an emission of a wrong sigma has it.
LabelledTrials trials_of(const ScoredParticipant& participant, double factor = 1) {
  const GaussianEmission truth{false, Spread::shared, 0.5, -0.1, 0.8, 0.8, 0};
  LabelledTrials trials;
  for (const ScoredTrial& trial : participant.trials) {
    LogLikelihoods values = log_likelihoods(truth, trial.scores);
    values.values *= factor;
    trials.push_back({std::move(values), trial.attention});
  }
  return trials;
}

// The log-odds of two speakers, without the engine: l_t + 2 atanh((1 - 2p) tanh(lambda/2)).
double plain_loss(const LabelledTrials& trials, double p, double temperature) {
  double sum = 0;
  double count = 0;
  for (const auto& [log_likelihoods, labels] : trials) {
    double odds = 0;
    for (Index t = 0; t < log_likelihoods.values.rows(); ++t) {
      const double l = (log_likelihoods.values(t, 0) - log_likelihoods.values(t, 1)) / temperature;
      odds = l + (t == 0 ? 0 : 2 * std::atanh((1 - 2 * p) * std::tanh(odds / 2)));
      const Speaker attended = labels.attended[static_cast<std::size_t>(t)];
      if (attended == unknown_speaker) continue;
      sum += std::log1p(std::exp(attended == 0 ? -odds : odds));
      count += 1;
    }
  }
  return sum / count;
}

TEST(CausalLogLoss, IsThatOfTheLogOdds) {
  ScoredParticipant first = scored_participant({.windows = 120, .trials = 2, .seed = 1});
  first.trials[1].attention.attended[7] = unknown_speaker;
  const ScoredParticipant second = scored_participant({.windows = 60, .seed = 2});
  const std::vector<LabelledTrials> cohort{trials_of(first), trials_of(second)};
  for (const double temperature : {0.5, 1.0, 3.0}) {
    const double expected = (plain_loss(cohort[0], 0.02, temperature) + plain_loss(cohort[1], 0.02, temperature)) / 2;
    EXPECT_NEAR(causal_log_loss(hmm::Chain::sticky(2, 0.02), cohort, temperature), expected, 1e-12);
  }
}

TEST(FitTemperature, IsTheMinimumOverTheWholeRange) {
  const std::vector<LabelledTrials> cohort{trials_of(scored_participant({.windows = 400, .seed = 4}), 3)};
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const double best = causal_log_loss(chain, cohort, fit_temperature(chain, cohort));
  for (double t = lowest_temperature; t <= highest_temperature; t *= 1.02) {
    EXPECT_GE(causal_log_loss(chain, cohort, t), best - 1e-9) << t;
  }
}

TEST(FitTemperature, IsAboutOneForTheTruthAndUndoesAFactor) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const ScoredParticipant participant = scored_participant({.windows = 20000, .seed = 6});
  const std::vector<LabelledTrials> honest{trials_of(participant)};
  const double temperature = fit_temperature(chain, honest);
  EXPECT_NEAR(temperature, 1, 0.12);
  for (const double factor : {0.25, 2.0, 5.0}) {
    const std::vector<LabelledTrials> scaled{trials_of(participant, factor)};
    EXPECT_NEAR(fit_temperature(chain, scaled) / (factor * temperature), 1, 1e-3) << factor;
  }
}

// Scores that repeat each other say the same thing again and again: (1 + r)/(1 - r) times too much, at least.
TEST(FitTemperature, SeesScoresThatRepeatEachOther) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const std::vector<LabelledTrials> cohort{
      trials_of(scored_participant({.windows = 20000, .autocorrelation = 0.6, .seed = 7}))};
  EXPECT_GT(fit_temperature(chain, cohort), 2.5);
}

TEST(FitTemperature, ScoresThatSayNothingGoToTheUpperEnd) {
  ScoredParticipant participant = scored_participant({.windows = 2000, .mu_attended = -0.1, .seed = 8});
  for (std::size_t t = 0; t < 2000; ++t) participant.trials[0].attention.attended[t] = static_cast<Speaker>(t % 2);
  const std::vector<LabelledTrials> cohort{trials_of(participant)};
  EXPECT_GT(fit_temperature(hmm::Chain::sticky(2, 0.01), cohort), 0.5 * highest_temperature);
}

TEST(FitTemperature, SaysWhyItCannot) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  ScoredParticipant unlabelled = scored_participant({.windows = 20});
  unlabelled.trials[0].attention.attended.assign(20, unknown_speaker);
  const std::vector<LabelledTrials> none{trials_of(unlabelled)};
  expect_error(ErrorKind::bad_data, {"calibrate", "attended"}, [&] { (void)fit_temperature(chain, none); });
  expect_error(ErrorKind::bad_data, {"calibrate"}, [&] { (void)fit_temperature(chain, {}); });
  const std::vector<LabelledTrials> good{trials_of(scored_participant({.windows = 20}))};
  expect_error(ErrorKind::invalid_argument, {"3 states"},
               [&] { (void)fit_temperature(hmm::Chain::sticky(3, 0.01), good); });
  for (const double temperature : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    expect_error(ErrorKind::invalid_argument, {"temperature"},
                 [&] { (void)causal_log_loss(chain, good, temperature); });
  }
}

}  // namespace
}  // namespace heed::emission
