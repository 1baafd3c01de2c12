// SPDX-License-Identifier: MIT
#include <heed/data/random.h>
#include <heed/emission/dependence.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;
using test::scored_participant;

// By the definition, over one participant: noise about class means, neighbours inside trials, switches included.
double lag_one(const ScoredParticipant& participant) {
  double attended = 0;
  double others = 0;
  double count = 0;
  for (const ScoredTrial& trial : participant.trials) {
    for (Index t = 0; t < trial.scores.values.rows(); ++t) {
      const Speaker speaker = trial.attention.attended[static_cast<std::size_t>(t)];
      attended += trial.scores.values(t, speaker);
      others += trial.scores.values.row(t).sum() - trial.scores.values(t, speaker);
      count += 1;
    }
  }
  const auto speakers = static_cast<double>(participant.speakers.size());
  attended /= count;
  others /= count * (speakers - 1);
  double products = 0;
  double first = 0;
  double second = 0;
  for (const ScoredTrial& trial : participant.trials) {
    for (Index t = 1; t < trial.scores.values.rows(); ++t) {
      for (Index k = 0; k < trial.scores.values.cols(); ++k) {
        const auto noise = [&](Index at) {
          const bool is_attended = trial.attention.attended[static_cast<std::size_t>(at)] == k;
          return trial.scores.values(at, k) - (is_attended ? attended : others);
        };
        products += noise(t - 1) * noise(t);
        first += noise(t - 1) * noise(t - 1);
        second += noise(t) * noise(t);
      }
    }
  }
  return products / std::sqrt(first * second);
}

TEST(DependenceFit, AutocorrelationIsThatOfTheNoise) {
  for (const Index speakers : {2, 3}) {
    const auto one = scored_participant(
        {.windows = 300, .speakers = speakers, .trials = 3, .block = 40, .autocorrelation = 0.7, .seed = 2});
    const double phi = fit_autocorrelation(dependence_moments(one, false)).autocorrelation;
    EXPECT_NEAR(phi, lag_one(one), 1e-12);
    EXPECT_NEAR(phi, 0.7, 0.05);
  }
}

TEST(DependenceFit, MomentsAdd) {
  const auto one = scored_participant({.trials = 4, .autocorrelation = 0.5, .seed = 1});
  const auto two = scored_participant({.trials = 5, .autocorrelation = 0.6, .seed = 2});
  DependenceMoments sums = dependence_moments(one, false);
  sums += dependence_moments(two, false);
  EXPECT_EQ(sums.trials, 9);
  const double both = fit_autocorrelation(sums).autocorrelation;
  EXPECT_GT(both, fit_autocorrelation(dependence_moments(one, false)).autocorrelation);
  sums -= dependence_moments(two, false);
  EXPECT_NEAR(fit_autocorrelation(sums).autocorrelation,
              fit_autocorrelation(dependence_moments(one, false)).autocorrelation, 1e-12);
}

// Adds a bias to each trial's difference of scores.
ScoredParticipant with_offsets(ScoredParticipant participant, double sigma, std::uint64_t seed) {
  RandomStream random(seed);
  for (ScoredTrial& trial : participant.trials) {
    const double offset = sigma * random.normal();
    trial.scores.values.col(0).array() += offset / 2;
    trial.scores.values.col(1).array() -= offset / 2;
  }
  return participant;
}

const GaussianEmission emission{.fisher = false, .mu_attended = 0.5, .mu_unattended = -0.1};

TEST(DependenceFit, OffsetsAreToldFromNoise) {
  const auto one = with_offsets(
      scored_participant({.windows = 400, .trials = 200, .sigma = 0.8, .autocorrelation = 0.6, .seed = 3}), 0.7, 4);
  const OffsetFit fit = fit_offset(emission, dependence_moments(one, false), 2);
  EXPECT_NEAR(fit.dependence.autocorrelation, 0.6, 0.02);
  EXPECT_NEAR(fit.dependence.offset_sigma, 0.7, 0.08);
  EXPECT_NEAR(fit.emission.sigma_attended, 0.8, 0.02);
  EXPECT_EQ(fit.emission.mu_attended, 0.5);
  const auto none =
      scored_participant({.windows = 400, .trials = 200, .sigma = 0.8, .autocorrelation = 0.6, .seed = 3});
  EXPECT_LT(fit_offset(emission, dependence_moments(none, false), 2).dependence.offset_sigma, 0.15);
}

// A difference of variance 2 sigma^2 (1 - rho) is what an exchangeable emission is left with.
TEST(DependenceFit, OffsetsOfRepeatedColumns) {
  auto one = with_offsets(scored_participant({.trials = 40, .autocorrelation = 0.6, .seed = 5}), 0.7, 6);
  const OffsetFit shared = fit_offset(emission, dependence_moments(one, false), 2);
  GaussianEmission exchangeable = emission;
  exchangeable.spread = Spread::exchangeable;
  exchangeable.correlation = -1;
  const OffsetFit repeated = fit_offset(exchangeable, dependence_moments(one, false), 2);
  EXPECT_NEAR(repeated.emission.sigma_attended, shared.emission.sigma_attended / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(repeated.dependence, shared.dependence);
}

// The published formulas on twelve numbers, by hand.
TEST(DependenceFit, FormulasOfTheOffset) {
  DependenceMoments sums{.trial_products = 3,
                         .trial_earlier_squares = 4,
                         .trial_later_squares = 9,
                         .squares = 12,
                         .windows = 60,
                         .trials = 6,
                         .means = 0.6,
                         .mean_squares = 6.06,
                         .inverse_lengths = 0.6};
  const OffsetFit fit = fit_offset(emission, sums, 2);
  const double w = 0.2;
  const double f = w * 1.5 / 0.5 / 10;
  EXPECT_NEAR(fit.dependence.autocorrelation, 0.5, 1e-15);
  EXPECT_NEAR(fit.dependence.offset_sigma, std::sqrt(1 - f), 1e-15);
  EXPECT_NEAR(fit.emission.sigma_attended, std::sqrt((w + f) / 2), 1e-15);
  sums.mean_squares = 0.07;  // no more than chance: a trace is left, so that the model stays one of offsets
  EXPECT_NEAR(fit_offset(emission, sums, 2).dependence.offset_sigma, std::sqrt(1e-4 * w), 1e-15);
}

TEST(DependenceFit, RefusesWhatCannotBeLearnt) {
  const auto few = scored_participant({.trials = 5, .autocorrelation = 0.5});
  expect_error(ErrorKind::bad_data, {"5 labelled trials", "at least 6", "ar1"},
               [&] { (void)fit_offset(emission, dependence_moments(few, false), 2); });
  const auto three = scored_participant({.speakers = 3, .trials = 8, .autocorrelation = 0.5});
  expect_error(ErrorKind::unsupported, {"between two speakers, not 3", "ar1"},
               [&] { (void)fit_offset(emission, dependence_moments(three, false), 3); });
  auto unlabelled = few;
  for (ScoredTrial& trial : unlabelled.trials) trial.attention.attended.assign(600, unknown_speaker);
  expect_error(ErrorKind::bad_data, {"no two neighbouring windows"},
               [&] { (void)fit_autocorrelation(dependence_moments(unlabelled, false)); });
}

// Neighbours across a missing or unlabelled window are none; scores that alternate count as independent.
TEST(DependenceFit, PairsAreNeighbours) {
  auto one = scored_participant({.windows = 100, .autocorrelation = 0.5});
  for (Index t = 1; t < 100; t += 2) one.trials[0].scores.values(t, 0) = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::bad_data, {"no two neighbouring windows"},
               [&] { (void)fit_autocorrelation(dependence_moments(one, false)); });
  auto alternating = scored_participant({.windows = 100, .seed = 9});
  for (Index t = 0; t < 100; ++t) alternating.trials[0].scores.values.row(t).array() += t % 2 == 0 ? 3 : -3;
  EXPECT_EQ(fit_autocorrelation(dependence_moments(alternating, false)).autocorrelation, 0);
}

}  // namespace
}  // namespace heed::emission
