// SPDX-License-Identifier: MIT
// Log-likelihoods of a device beside the densities themselves, in long double: differences between speakers are equal.
#include <gtest/gtest.h>
#include <heed/core/score_evidence.h>

#include <array>
#include <cmath>
#include <limits>

#include "unit/core/real_types.h"

namespace heed::core {
namespace {

long double log_density(long double z, long double mu, long double sigma) {
  return -((z - mu) * (z - mu) / (2 * sigma * sigma)) - std::log(sigma);
}

// log b_j for independent speakers: its own density as attended, all others' as unattended.
long double log_likelihood(const GaussianParameters<double>& g, const std::array<double, 3>& scores, std::size_t j) {
  long double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const long double z = g.fisher ? std::atanh(static_cast<long double>(scores[i])) : scores[i];
    sum +=
        i == j ? log_density(z, g.mu_attended, g.sigma_attended) : log_density(z, g.mu_unattended, g.sigma_unattended);
  }
  return sum / g.temperature;
}

TEST(ScoreEvidence, DiffersBetweenSpeakersAsDensitiesDo) {
  for (const double sigma_unattended : {0.303, 0.2}) {
    for (const bool fisher : {true, false}) {
      const GaussianParameters<double> g{.fisher = fisher,
                                         .mu_attended = 0.124,
                                         .mu_unattended = 0.037,
                                         .sigma_attended = 0.303,
                                         .sigma_unattended = sigma_unattended,
                                         .temperature = 1.7};
      const std::array<double, 3> scores{0.31, -0.2, 0.05};
      std::array<double, 3> found{};
      ASSERT_EQ(ScoreEvidence<double>::make(g)->log_likelihoods(scores, found), Step::updated);
      for (std::size_t j = 1; j < 3; ++j) {
        const long double expected = log_likelihood(g, scores, j) - log_likelihood(g, scores, 0);
        EXPECT_NEAR(found[j] - found[0], static_cast<double>(expected), 1e-14);
      }
    }
  }
}

// Exchangeable noise of correlation rho: (mu_a - mu_u) / (sigma^2 (1 - rho)) times the score.
TEST(ScoreEvidence, CountsSharedNoiseOnce) {
  const auto evidence = ScoreEvidence<double>::make({.fisher = false,
                                                     .mu_attended = 1,
                                                     .mu_unattended = -1,
                                                     .sigma_attended = 2,
                                                     .sigma_unattended = 2,
                                                     .correlation = -1});
  ASSERT_TRUE(evidence);
  EXPECT_DOUBLE_EQ(evidence->linear(), 2.0 / (4 * 2));
  EXPECT_EQ(evidence->quadratic(), 0);
}

TEST(ScoreEvidence, ParametersThatContradictEachOtherAreRefused) {
  const auto made = [](double sigma_unattended, double correlation) {
    return ScoreEvidence<double>::make({.sigma_unattended = sigma_unattended, .correlation = correlation}).has_value();
  };
  EXPECT_TRUE(made(1, 0.5));
  EXPECT_TRUE(made(1, -1));
  EXPECT_TRUE(made(2, 0));
  EXPECT_FALSE(made(2, 0.5)) << "separate spreads and a correlation do not go together";
  EXPECT_FALSE(made(1, -1.01));
  EXPECT_FALSE(made(1, 1));
}

TEST(ScoreEvidence, InSinglePrecisionNearTheDouble) {
  const auto single = ScoreEvidence<float>::make(
      {.mu_attended = 0.124F, .mu_unattended = 0.037F, .sigma_attended = 0.303F, .sigma_unattended = 0.303F});
  const auto twice = ScoreEvidence<double>::make(
      {.mu_attended = 0.124, .mu_unattended = 0.037, .sigma_attended = 0.303, .sigma_unattended = 0.303});
  for (float score = -1; score <= 1; score += 0.0625F) {
    std::array<float, 1> found{score};
    std::array<double, 1> expected{static_cast<double>(score)};
    ASSERT_EQ(single->log_likelihoods(found, found), Step::updated) << "in place";
    ASSERT_EQ(twice->log_likelihoods(expected, expected), Step::updated);
    // Next to a perfect correlation the score itself has few digits: both are clipped at 1 - 1e-7.
    const double tolerance = std::abs(score) < 1 ? 2e-6 : 0.2;
    EXPECT_NEAR(found[0], expected[0], tolerance * (1 + std::abs(expected[0]))) << score;
    EXPECT_TRUE(std::isfinite(found[0]));
  }
}

TEST(ScoreEvidence, BrokenWindowsAreHeld) {
  const auto evidence = ScoreEvidence<float>::make(true, 1, 0);
  for (const float broken :
       {1.5F, -1.5F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::array<float, 2> result{};
    EXPECT_EQ(evidence->log_likelihoods(std::array{0.1F, broken}, result), Step::held);
    EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
  }
  std::array<float, 3> three{7, 7, 7};
  EXPECT_EQ(evidence->log_likelihoods(std::array{0.1F, 0.2F}, three), Step::wrong_size);
  EXPECT_EQ(three[0], 7);
  EXPECT_EQ(ScoreEvidence<float>::make(false, 1, 0)->log_likelihoods(std::array{1.5F}, std::span(three).first(1)),
            Step::updated)
      << "a log-odds may be any number";
}

TEST(ScoreEvidence, RefusesParametersThatMakeNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Parameters = GaussianParameters<double>;
  for (const Parameters& bad :
       {Parameters{.sigma_attended = 0}, Parameters{.sigma_unattended = -1}, Parameters{.temperature = 0},
        Parameters{.correlation = 1}, Parameters{.mu_attended = nan}, Parameters{.sigma_attended = nan},
        Parameters{.mu_attended = std::numeric_limits<double>::infinity()}, Parameters{.sigma_attended = 1e-200}}) {
    EXPECT_FALSE(ScoreEvidence<double>::make(bad));
  }
  EXPECT_FALSE(ScoreEvidence<double>::make(true, nan, 0));
}

}  // namespace
}  // namespace heed::core
