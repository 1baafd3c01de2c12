// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/emission/log_likelihoods.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>

namespace heed::emission {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Scores random_scores(Index windows, Index speakers, std::uint64_t seed) {
  RandomStream random(seed);
  Scores scores{Matrix(windows, speakers), Seconds{1}};
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) scores.values(t, j) = std::tanh(0.3 * random.normal());
  }
  return scores;
}

// The paper's product over speakers, written as densities and not as differences of logarithms.
double density(double z, double mu, double sigma) {
  return std::exp(-(z - mu) * (z - mu) / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
}

double product_of_densities(const GaussianEmission& e, const Matrix& z, Index t, Index attended) {
  double product = 1;
  for (Index k = 0; k < z.cols(); ++k) {
    product *= k == attended ? density(z(t, k), e.mu_attended, e.sigma_attended)
                             : density(z(t, k), e.mu_unattended, e.sigma_unattended);
  }
  return product;
}

class GaussianDensity : public ::testing::TestWithParam<std::tuple<bool, Spread, int>> {};

TEST_P(GaussianDensity, IsThePapersProductOverSpeakers) {
  const auto [fisher, spread, speakers] = GetParam();
  GaussianEmission emission{fisher, spread, 0.124, 0.037, 0.31, 0.31, 0};
  if (spread == Spread::separate) emission.sigma_unattended = 0.27;
  const Scores scores = random_scores(50, speakers, 3);
  const Matrix z =
      fisher ? Matrix(scores.values.array().unaryExpr([](double x) { return std::atanh(x); })) : scores.values;
  const LogLikelihoods result = log_likelihoods(emission, scores);
  for (Index t = 0; t < z.rows(); ++t) {
    for (Index j = 0; j < speakers; ++j) {
      EXPECT_NEAR(result.values(t, j), std::log(product_of_densities(emission, z, t, j)), 1e-12);
    }
  }
}

// Rounding must not decide where nothing else does.
TEST_P(GaussianDensity, TiesExactlyWhereAttentionMakesNoDifference) {
  const auto [fisher, spread, speakers] = GetParam();
  const GaussianEmission emission{fisher, spread, 0.0837, 0.0837, 0.3017, 0.3017, 0};
  const LogLikelihoods result = log_likelihoods(emission, random_scores(500, speakers, 4));
  for (Index t = 0; t < result.values.rows(); ++t) {
    for (Index j = 1; j < speakers; ++j) EXPECT_EQ(result.values(t, j), result.values(t, 0)) << "window " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, GaussianDensity,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(Spread::shared, Spread::separate),
                                            ::testing::Values(2, 3, 6)));

// log N(z; mu_j, S) with S = sigma^2 ((1-rho) I + rho 11'), by Eigen's inverse: an independent road.
TEST(ExchangeableDensity, DiffersFromTheFullDensityByAConstantPerWindow) {
  const GaussianEmission emission{false, Spread::exchangeable, 0.5, -0.2, 0.8, 0.8, -0.3};
  const Scores scores = random_scores(20, 3, 5);
  const LogLikelihoods result = log_likelihoods(emission, scores);
  Matrix covariance = Matrix::Constant(3, 3, 0.8 * 0.8 * -0.3);
  covariance.diagonal().setConstant(0.8 * 0.8);
  Eigen::Matrix3d inverse = Eigen::Matrix3d(covariance).inverse();
  for (Index t = 0; t < 20; ++t) {
    Eigen::Vector3d full;
    for (Index j = 0; j < 3; ++j) {
      Eigen::Vector3d residual = scores.values.row(t).transpose() - Eigen::Vector3d::Constant(-0.2);
      residual(j) -= 0.7;
      full(j) = -0.5 * residual.dot(inverse * residual);
    }
    for (Index j = 1; j < 3; ++j) {
      EXPECT_NEAR(result.values(t, j) - result.values(t, 0), full(j) - full(0), 1e-12);
    }
  }
}

// Two scores made from one difference count the evidence once, not twice.
TEST(ExchangeableDensity, IsFiniteAndExactForScoresMadeFromOneDifference) {
  const GaussianEmission emission{false, Spread::exchangeable, 1, -1, 2, 2, -1};
  const Scores scores{(Matrix(1, 2) << 0.7, -0.7).finished(), Seconds{1}};
  const LogLikelihoods result = log_likelihoods(emission, scores);
  // d = 0.7 ~ N(+-1, 4): log-odds 2 * 1 * 0.7 / 4
  EXPECT_NEAR(result.values(0, 0) - result.values(0, 1), 2 * 0.7 / 4, 1e-15);
}

TEST(LogLikelihoods, MissingScoreMakesAMissingWindow) {
  const Scores scores{(Matrix(2, 2) << 0.1, nan, 0.2, 0.3).finished(), Seconds{2}};
  const LogLikelihoods result = log_likelihoods(GaussianEmission{}, scores);
  EXPECT_TRUE(std::isnan(result.values(0, 0)) && std::isnan(result.values(0, 1)));
  EXPECT_TRUE(result.values.row(1).allFinite());
  EXPECT_EQ(result.window, Seconds{2});
}

TEST(LogLikelihoods, PerfectCorrelationIsClippedNotInfinite) {
  const Scores scores{(Matrix(1, 2) << 1, -1).finished(), Seconds{1}};
  const LogLikelihoods result = log_likelihoods(GaussianEmission{true, Spread::shared, 0.1, 0, 0.3, 0.3, 0}, scores);
  EXPECT_TRUE(result.values.allFinite());
  // 2 atanh(1 - 1e-7) = log((2 - 1e-7)/1e-7); slope 0.1/0.09, difference of the two = 2 z slope
  EXPECT_NEAR(result.values(0, 0) - result.values(0, 1), std::log((2 - 1e-7) / 1e-7) * 0.1 / 0.09, 1e-8);
}

TEST(LogLikelihoods, BeyondOneIsRefusedWithWindowAndRemedy) {
  const Scores scores{(Matrix(2, 2) << 0.1, 0.2, 1.5, 0.3).finished(), Seconds{1}};
  try {
    (void)log_likelihoods(GaussianEmission{}, scores);
    FAIL() << "1.5 was taken for a correlation";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(std::string(error.what()).find("window 2"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("gaussian"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW((void)log_likelihoods(GaussianEmission{.fisher = false}, scores));
}

TEST(LogLikelihoods, ATableInPiecesIsCountedFromItsBeginning) {
  const Matrix scores = (Matrix(2, 2) << 0.1, 0.2, 1.5, 0.3).finished();
  Matrix out(2, 2);
  try {
    heed::emission::log_likelihoods_into(GaussianEmission{}, heed::data::view(scores), heed::data::view(out), 1000);
    FAIL() << "1.5 was taken for a correlation";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("window 1002"), std::string::npos) << error.what();
  }
}

TEST(LogLikelihoods, InfiniteScoreIsRefused) {
  const Scores scores{(Matrix(1, 2) << std::numeric_limits<double>::infinity(), 0).finished(), Seconds{1}};
  EXPECT_THROW((void)log_likelihoods(GaussianEmission{.fisher = false}, scores), Error);
  EXPECT_THROW((void)log_likelihoods(SoftmaxEmission{}, scores), Error);
}

TEST(Softmax, DividesTheClassPriorsOut) {
  const Scores logits{(Matrix(1, 3) << 0.5, -1, 2).finished(), Seconds{1}};
  const SoftmaxEmission emission{{0.5, 0.3, 0.2}};
  const LogLikelihoods result = log_likelihoods(emission, logits);
  const double total = std::exp(0.5) + std::exp(-1.0) + std::exp(2.0);
  for (Index j = 0; j < 3; ++j) {
    const auto prior = [&](Index k) { return emission.class_priors[static_cast<std::size_t>(k)]; };
    const double ratio = (std::exp(logits.values(0, j)) / total / prior(j)) / (std::exp(0.5) / total / prior(0));
    EXPECT_NEAR(std::exp(result.values(0, j) - result.values(0, 0)), ratio, 1e-12);
  }
}

TEST(GivenLogLikelihood, PassesThroughAndKeepsMinusInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Scores given{(Matrix(1, 2) << -infinity, -3).finished(), Seconds{1}};
  EXPECT_EQ(log_likelihoods(GivenLogLikelihoods{}, given).values, given.values);
}

TEST(Check, RefusesImpossibleParameters) {
  EXPECT_THROW(check(GaussianEmission{.sigma_attended = 0}, 2), Error);
  EXPECT_THROW(check(GaussianEmission{.mu_attended = nan}, 2), Error);
  EXPECT_THROW(check(GaussianEmission{.correlation = -0.6}, 3), Error);
  EXPECT_NO_THROW(check(GaussianEmission{.correlation = -0.5}, 3));
  EXPECT_THROW(check(SoftmaxEmission{{0.5, 0.5}}, 3), Error);
  EXPECT_THROW(check(SoftmaxEmission{{0.9, 0.2}}, 2), Error);
  EXPECT_THROW(check(SoftmaxEmission{{1, 0}}, 2), Error);
  EXPECT_THROW(check(GivenLogLikelihoods{}, 1), Error);
}

}  // namespace
}  // namespace heed::emission
