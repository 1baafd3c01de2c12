// SPDX-License-Identifier: MIT
#include <emission/mixture_density.h>
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/sample.h>
#include <heed/hmm/smooth.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Attention that lasts, and two clouds of two features for each state.
ScoredParticipant listener(Index windows, double distance, std::uint64_t seed) {
  RandomStream random(seed);
  ScoredParticipant one{.id = "01", .speakers = {"left", "right"}, .features = {"alpha", "beta"}};
  for (int trial = 0; trial < 2; ++trial) {
    const auto path = hmm::sample_prior(hmm::Chain::sticky(2, 0.02), windows, random).states;
    Matrix values(windows, 2);
    for (Index t = 0; t < windows; ++t) {
      const double state = path[static_cast<std::size_t>(t)] == 0 ? 1 : -1;
      const double cloud = random.uniform() < 0.7 ? 1 : -2;
      values(t, 0) = 100 + (10 * ((distance * state) + random.normal()));
      values(t, 1) = (state * cloud) + (0.5 * random.normal());
    }
    values(3, 1) = nan;
    one.trials.push_back({.name = std::to_string(trial), .scores = {values}, .attention = {path}});
  }
  return one;
}

ScoredParticipant without_labels(ScoredParticipant one) {
  for (ScoredTrial& trial : one.trials)
    trial.attention.attended.assign(trial.attention.attended.size(), unknown_speaker);
  return one;
}

using Mixtures = std::vector<std::vector<GaussianComponent>>;

double density(const std::vector<GaussianComponent>& state, const Matrix& values, Index t, CovarianceShape shape) {
  double sum = 0;
  for (const auto& one : state) {
    sum += one.weight * std::exp(ComponentDensity(one, shape).log(data::view(values).row(t)));
  }
  return sum;
}

// P(S_t = j | all windows), by every path there is.
Matrix posterior_of_all_paths(const hmm::Chain& chain, const Matrix& densities) {
  const Index windows = densities.rows();
  Matrix sums = Matrix::Zero(windows, 2);
  for (unsigned path = 0; path < (1U << windows); ++path) {
    const auto state = [&](Index t) { return static_cast<Index>((path >> t) & 1U); };
    long double product = chain.initial()[static_cast<std::size_t>(state(0))];
    for (Index t = 0; t < windows; ++t) {
      if (t > 0) product *= chain.transition(hmm::From{state(t - 1)}, hmm::To{state(t)});
      product *= densities(t, state(t));
    }
    for (Index t = 0; t < windows; ++t) sums(t, state(t)) += static_cast<double>(product);
  }
  for (Index t = 0; t < windows; ++t) sums.row(t) /= sums.row(t).sum();
  return sums;
}

// One round of EM as the textbook has it, on the features as they are; every window is complete.
Mixtures direct_round(const hmm::Chain& chain, const Matrix& values, const MixtureEmission& now) {
  Matrix densities(values.rows(), 2);
  for (Index t = 0; t < values.rows(); ++t) {
    for (Index j = 0; j < 2; ++j) {
      densities(t, j) = density(now.mixtures[static_cast<std::size_t>(j)], values, t, now.shape);
    }
  }
  const Matrix posterior = posterior_of_all_paths(chain, densities);
  Mixtures next = now.mixtures;
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t c = 0; c < next[j].size(); ++c) {
      const auto& one = now.mixtures[j][c];
      Eigen::VectorXd share(values.rows());
      for (Index t = 0; t < values.rows(); ++t) {
        const double part = one.weight * std::exp(ComponentDensity(one, now.shape).log(data::view(values).row(t)));
        share(t) = posterior(t, static_cast<Index>(j)) * part / densities(t, static_cast<Index>(j));
      }
      auto& better = next[j][c];
      better.weight = share.sum() / posterior.col(static_cast<Index>(j)).sum();
      better.mean = values.transpose() * share / share.sum();
      const Matrix residuals = values.rowwise() - better.mean.transpose();
      better.covariance = residuals.transpose() * share.asDiagonal() * residuals / share.sum();
      if (now.shape == CovarianceShape::diagonal) {
        better.covariance = Matrix(better.covariance.diagonal().asDiagonal());
      }
    }
  }
  return next;
}

TEST(MixtureBaumWelch, TakesTheStepsOfDirectExpectationMaximisation) {
  const hmm::Chain chain = hmm::Chain::make((Matrix(2, 2) << 0.9, 0.1, 0.3, 0.7).finished());
  for (const auto shape : {CovarianceShape::full, CovarianceShape::diagonal}) {
    ScoredParticipant one = listener(14, 1, 5);
    one.trials.resize(1);
    one.trials[0].scores.values(3, 1) = 0.4;
    const auto start = fit_mixtures(std::vector{listener(200, 1, 6)}, {.components = 2, .covariance = shape});
    const auto fit = fit_baum_welch_mixtures(std::vector{one}, chain, {.start = start, .max_iterations = 1});
    const Mixtures expected = direct_round(chain, one.trials[0].scores.values, start);
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t c = 0; c < 2; ++c) {
        const auto& found = fit.emission.mixtures[j][c];
        EXPECT_NEAR(found.weight, expected[j][c].weight, 1e-10);
        EXPECT_LT((found.mean - expected[j][c].mean).norm(), 1e-9 * expected[j][c].mean.norm());
        EXPECT_LT((found.covariance - expected[j][c].covariance).norm(), 1e-8 * expected[j][c].covariance.norm());
      }
    }
    const auto before = hmm::smooth(chain, log_likelihoods(start, one.trials[0].scores));
    EXPECT_NEAR(fit.history[0], before.log_evidence, 1e-9);
    const auto after = hmm::smooth(chain, log_likelihoods(fit.emission, one.trials[0].scores));
    EXPECT_NEAR(fit.history[1], after.log_evidence, 1e-9);
  }
}

TEST(MixtureBaumWelch, NeverLosesEvidenceAndFindsTheStates) {
  const std::vector one{listener(600, 1, 7)};
  const auto blind = fit_baum_welch_mixtures(one, hmm::Chain::sticky(2, 0.02), {.mixture = {.components = 2}});
  EXPECT_TRUE(blind.converged);
  EXPECT_FALSE(blind.states_are_named);
  for (std::size_t k = 1; k < blind.history.size(); ++k) EXPECT_GE(blind.history[k], blind.history[k - 1]);
  double right = 0;
  double windows = 0;
  for (const ScoredTrial& trial : one[0].trials) {
    const auto posteriors = hmm::smooth(blind.chain, log_likelihoods(blind.emission, trial.scores));
    for (Index t = 0; t < posteriors.values.rows(); ++t, ++windows) {
      const bool second = posteriors.values(t, 1) > 0.5;
      right += second == (trial.attention.attended[static_cast<std::size_t>(t)] == 1) ? 1 : 0;
    }
  }
  EXPECT_GT(std::max(right, windows - right) / windows, 0.97);  // whichever state is which
}

TEST(MixtureBaumWelch, LooksAtNoLabelAndLearnsTheSwitchProbability) {
  const std::vector labelled{listener(400, 1, 8)};
  const std::vector unlabelled{without_labels(labelled[0])};
  const hmm::Chain chain = hmm::Chain::sticky(2, 0.1);
  const MixtureBaumWelchOptions options{.start = fit_mixtures(std::vector{listener(400, 1, 12)}),
                                        .fit_switch_probability = true};
  const auto fit = fit_baum_welch_mixtures(unlabelled, chain, options);
  EXPECT_EQ(fit.emission, fit_baum_welch_mixtures(labelled, chain, options).emission);
  EXPECT_NEAR(fit.chain.as_sticky()->move(), 0.02, 0.012);
  EXPECT_EQ(fit_baum_welch_mixtures(unlabelled, chain, {.max_iterations = 3}).chain.as_sticky()->move(), 0.1);
}

// Scores of speakers say which state is which: the attended speaker has the higher ones. Any number of speakers.
TEST(MixtureBaumWelch, NamesTheStatesOfScores) {
  const std::vector one{test::scored_participant({.speakers = 3, .trials = 2, .seed = 4})};
  const auto fit = fit_baum_welch_mixtures(one, hmm::Chain::sticky(3, 0.005), {.mixture = {.components = 1}});
  EXPECT_TRUE(fit.states_are_named);
  for (std::size_t j = 0; j < 3; ++j) {
    Index largest = 0;
    fit.emission.mixtures[j][0].mean.maxCoeff(&largest);
    EXPECT_EQ(largest, static_cast<Index>(j));
  }
}

TEST(MixtureBaumWelch, RefusesWhatItCannotFit) {
  const std::vector one{listener(60, 1, 9)};
  const hmm::Chain chain = hmm::Chain::sticky(2, 0.02);
  const auto refused = [&](ErrorKind kind, const char* words, const std::vector<ScoredParticipant>& participants,
                           const hmm::Chain& of, const MixtureBaumWelchOptions& options) {
    expect_error(kind, {words}, [&] { (void)fit_baum_welch_mixtures(participants, of, options); });
  };
  refused(ErrorKind::bad_data, "no participant", {}, chain, {});
  refused(ErrorKind::invalid_argument, "3 states", one, hmm::Chain::sticky(3, 0.02), {});
  MixtureEmission start = fit_mixtures(one);
  start.features = {"beta", "alpha"};
  refused(ErrorKind::bad_data, "other states or features", one, chain, {.start = start});
  auto nothing = one;
  for (auto& trial : nothing[0].trials) trial.scores.values.setConstant(nan);
  refused(ErrorKind::bad_data, "no complete window", nothing, chain, {});
  const hmm::Chain dense = hmm::Chain::make((Matrix(2, 2) << 0.9, 0.1, 0.1, 0.9).finished());
  refused(ErrorKind::invalid_argument, "sticky chain only", one, dense, {.fit_switch_probability = true});
  refused(ErrorKind::bad_data, "finds no start", one, chain, {.mixture = {.components = 30}});
}

}  // namespace
}  // namespace heed::emission
