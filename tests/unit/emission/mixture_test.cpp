// SPDX-License-Identifier: MIT
#include <emission/mixture_density.h>
#include <gtest/gtest.h>
#include <heed/emission/supervised.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::clouds;
using test::expect_error;

const std::vector<Eigen::VectorXd> far_apart{Eigen::Vector2d(-5, 3), Eigen::Vector2d(4, 1), Eigen::Vector2d(0, -6)};

double log_likelihood(const std::vector<GaussianComponent>& components, const Matrix& points, CovarianceShape shape) {
  double total = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    double density = 0;
    for (const auto& one : components) {
      density += one.weight * std::exp(ComponentDensity(one, shape).log(data::view(points).row(i)));
    }
    total += std::log(density);
  }
  return total;
}

// One plain round of EM on the points as they are, to see whether a fit is at rest.
std::vector<GaussianComponent> plain_round(const std::vector<GaussianComponent>& now, const Matrix& points,
                                           CovarianceShape shape) {
  const auto k = static_cast<Index>(now.size());
  Matrix shares(points.rows(), k);
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index c = 0; c < k; ++c) {
      const auto& one = now[static_cast<std::size_t>(c)];
      shares(i, c) = one.weight * std::exp(ComponentDensity(one, shape).log(data::view(points).row(i)));
    }
    shares.row(i) /= shares.row(i).sum();
  }
  std::vector<GaussianComponent> next = now;
  for (Index c = 0; c < k; ++c) {
    auto& one = next[static_cast<std::size_t>(c)];
    const double sum = shares.col(c).sum();
    one.weight = sum / static_cast<double>(points.rows());
    one.mean = points.transpose() * shares.col(c) / sum;
    one.covariance.setZero();
    for (Index i = 0; i < points.rows(); ++i) {
      const Eigen::VectorXd residual = points.row(i).transpose() - one.mean;
      one.covariance += shares(i, c) * residual * residual.transpose() / sum;
    }
    if (shape == CovarianceShape::diagonal) one.covariance = Matrix(one.covariance.diagonal().asDiagonal());
  }
  return next;
}

TEST(FitMixture, OneComponentIsTheMeanAndTheCovariance) {
  Matrix points = clouds(300, far_apart, 1.3, 2);
  points.col(1) = (points.col(1) + points.col(0)) * 40;
  const Eigen::VectorXd mean = points.colwise().mean();
  const Matrix centred = points.rowwise() - mean.transpose();
  const Matrix covariance = centred.transpose() * centred / 300;
  const auto fit = fit_mixture(points, {.components = 1});
  ASSERT_EQ(fit.components.size(), 1U);
  EXPECT_TRUE(fit.converged);
  EXPECT_EQ(fit.components[0].weight, 1);
  EXPECT_LT((fit.components[0].mean - mean).norm(), 1e-12 * mean.norm());
  EXPECT_LT((fit.components[0].covariance - covariance).norm(), 1e-12 * covariance.norm());
  const auto flat = fit_mixture(points, {.components = 1, .covariance = CovarianceShape::diagonal}).components[0];
  EXPECT_LT((flat.covariance.diagonal() - covariance.diagonal()).norm(), 1e-12 * covariance.norm());
  EXPECT_EQ(flat.covariance(0, 1), 0);
}

TEST(FitMixture, FindsCloudsThatAreApart) {
  const Matrix points = clouds(900, far_apart, 0.7, 3);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    auto components = fit_mixture(points, {.components = 3, .seed = seed}).components;
    std::ranges::sort(components, {}, [](const GaussianComponent& c) { return c.mean(0); });
    const std::array<Index, 3> order{0, 2, 1};
    for (std::size_t c = 0; c < 3; ++c) {
      Matrix own(300, 2);
      for (Index i = 0; i < 300; ++i) own.row(i) = points.row((3 * i) + order.at(c));
      const auto expected = fit_mixture(own, {.components = 1}).components[0];
      EXPECT_NEAR(components[c].weight, 1.0 / 3, 1e-6);
      EXPECT_LT((components[c].mean - expected.mean).norm(), 1e-4);
      EXPECT_LT((components[c].covariance - expected.covariance).norm(), 1e-4);
    }
  }
}

TEST(FitMixture, EndsWhereAPlainRoundOfEmChangesNothing) {
  const Matrix points = clouds(400, {Eigen::Vector2d(-1, 0), Eigen::Vector2d(1.5, 1)}, 0.8, 6);
  for (const auto shape : {CovarianceShape::full, CovarianceShape::diagonal}) {
    const auto fit =
        fit_mixture(points, {.components = 2, .covariance = shape, .relative_gain = 1e-15, .max_iterations = 5000});
    const auto next = plain_round(fit.components, points, shape);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(next[c].weight, fit.components[c].weight, 1e-6);
      EXPECT_LT((next[c].mean - fit.components[c].mean).norm(), 1e-5);
      EXPECT_LT((next[c].covariance - fit.components[c].covariance).norm(), 1e-5);
    }
    EXPECT_NEAR(fit.history.back(), log_likelihood(fit.components, points, shape), 1e-8);
  }
}

RC_GTEST_PROP(FitMixture, NeverGoesDown, (std::uint64_t seed)) {
  const auto components = *rc::gen::inRange<Index>(1, 5);
  const auto dimension = *rc::gen::inRange<Index>(1, 4);
  const auto points = *rc::gen::inRange<Index>(components + dimension + 2, 60);
  const auto shape = *rc::gen::element(CovarianceShape::full, CovarianceShape::diagonal);
  Matrix data = clouds(points, {Eigen::VectorXd::Zero(dimension), Eigen::VectorXd::Ones(dimension)}, 1, seed);
  if (*rc::gen::arbitrary<bool>()) data.topRows(points / 3).rowwise() = data.row(0).eval();  // a cloud without width
  MixtureFit fit;
  try {
    fit = fit_mixture(data, {.components = components, .covariance = shape, .seed = seed});
  } catch (const Error& error) {
    RC_DISCARD(error.what());  // too few different points for a full covariance
  }
  for (std::size_t k = 1; k < fit.history.size(); ++k) RC_ASSERT(fit.history[k] >= fit.history[k - 1]);
  RC_ASSERT(std::isfinite(fit.history.back()));
  double total = 0;
  for (const auto& one : fit.components) total += one.weight;
  RC_ASSERT(std::abs(total - 1) < 1e-9);
}

// Features in other units give the same mixture in those units. Rounding may end one fit a step before the other, when
// a step gains next to nothing: hence 1e-4 of a deviation.
RC_GTEST_PROP(FitMixture, DoesNotDependOnUnits, (std::uint64_t seed)) {
  const Matrix points = clouds(80, {Eigen::Vector2d(-2, 0), Eigen::Vector2d(2, 1)}, 1, seed);
  const Eigen::Vector2d scale(1000, 0.01);
  const Eigen::Vector2d shift(-3, 7);
  const Matrix other = (points * scale.asDiagonal()).rowwise() + shift.transpose();
  const auto a = fit_mixture(points, {.seed = seed, .max_iterations = 20}).components;
  const auto b = fit_mixture(other, {.seed = seed, .max_iterations = 20}).components;
  for (std::size_t c = 0; c < 2; ++c) {
    const Eigen::VectorXd mean = scale.asDiagonal() * a[c].mean + shift;
    const Matrix covariance = scale.asDiagonal() * a[c].covariance * scale.asDiagonal();
    RC_ASSERT(((b[c].mean - mean).array() / scale.array()).matrix().norm() < 1e-4);
    RC_ASSERT((b[c].covariance - covariance).norm() < 1e-4 * covariance.norm());
  }
}

TEST(FitMixture, AComponentCannotCollapseOntoOnePoint) {
  Matrix points = clouds(50, {Eigen::Vector2d(0, 0)}, 1, 9);
  points.topRows(20).rowwise() = Eigen::RowVector2d(30, 30);
  const auto fit = fit_mixture(points, {.components = 2});
  for (const auto& one : fit.components) {
    const Eigen::VectorXd variances = Eigen::SelfAdjointEigenSolver<Matrix>(one.covariance).eigenvalues();
    EXPECT_GT(variances.minCoeff(), 0.9 * covariance_floor);
  }
  EXPECT_TRUE(std::isfinite(fit.history.back()));
}

TEST(FitMixture, SameSeedSameBits) {
  const Matrix points = clouds(100, far_apart, 2, 1);
  const auto a = fit_mixture(points, {.components = 3, .seed = 5});
  const auto b = fit_mixture(points, {.components = 3, .seed = 5});
  EXPECT_EQ(a.history, b.history);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(a.components[c].mean, b.components[c].mean);
}

TEST(FitMixture, SaysWhyItCannot) {
  const Matrix points = clouds(4, far_apart, 1, 1);
  expect_error(ErrorKind::bad_data, {"4 labelled windows", "5 components", "fewer components"},
               [&] { (void)fit_mixture(points, {.components = 5}); });
  // Two components on four points of a plane: each would lie on a line.
  expect_error(ErrorKind::bad_data, {"4 labelled windows", "2 components", "at least 6"},
               [&] { (void)fit_mixture(points, {.components = 2}); });
  Matrix constant = clouds(30, far_apart, 1, 1);
  constant.col(1).setConstant(0.1);
  expect_error(ErrorKind::singular, {"feature 2", "does not vary"}, [&] { (void)fit_mixture(constant); });
  Matrix copied = clouds(30, far_apart, 1, 1);
  copied.col(1) = 2 * copied.col(0);
  expect_error(ErrorKind::singular, {"singular", "diagonal"}, [&] { (void)fit_mixture(copied); });
  EXPECT_NO_THROW((void)fit_mixture(copied, {.covariance = CovarianceShape::diagonal}));
  const Matrix wide = clouds(5, {Eigen::VectorXd::Zero(8)}, 1, 1);
  expect_error(ErrorKind::singular, {"8 features", "5 windows"}, [&] { (void)fit_mixture(wide, {.components = 1}); });
  Matrix broken = points;
  broken(1, 1) = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::bad_data, {"finite"}, [&] { (void)fit_mixture(broken); });
  expect_error(ErrorKind::invalid_argument, {"one component"}, [&] { (void)fit_mixture(points, {.components = 0}); });
  expect_error(ErrorKind::invalid_argument, {"max_iterations"},
               [&] { (void)fit_mixture(points, {.max_iterations = -1}); });
  expect_error(ErrorKind::invalid_argument, {"one feature"}, [] { (void)fit_mixture(Matrix(5, 0)); });
}

ScoredParticipant with_features(std::uint64_t seed) {
  ScoredParticipant participant = test::scored_participant({.windows = 300, .speakers = 2, .seed = seed});
  ScoredTrial& trial = participant.trials[0];
  participant.features = {"alpha", "beta", "gamma"};
  Matrix features = clouds(300, {Eigen::VectorXd::Zero(3)}, 1, seed);
  features.leftCols(2) += trial.scores.values;
  trial.scores.values = features;
  return participant;
}

TEST(FitMixtures, GivesEveryStateTheMixtureOfItsWindows) {
  const std::vector<ScoredParticipant> cohort{with_features(1), with_features(2)};
  const MixtureEmission emission = fit_mixtures(cohort, {.components = 2});
  EXPECT_EQ(emission.states, cohort[0].speakers);
  EXPECT_EQ(emission.features, cohort[0].features);
  Matrix of_second(0, 3);
  for (const auto& participant : cohort) {
    const ScoredTrial& trial = participant.trials[0];
    for (Index t = 0; t < 300; ++t) {
      if (trial.attention.attended[static_cast<std::size_t>(t)] != 1) continue;
      of_second.conservativeResize(of_second.rows() + 1, 3);
      of_second.bottomRows(1) = trial.scores.values.row(t);
    }
  }
  const auto expected = fit_mixture(of_second, {.components = 2}).components;
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(emission.mixtures[1][c].mean, expected[c].mean);
    EXPECT_EQ(emission.mixtures[1][c].covariance, expected[c].covariance);
  }
}

TEST(FitMixtures, LeavesMissingAndUnlabelledWindowsOut) {
  std::vector<ScoredParticipant> cohort{with_features(3)};
  const auto whole = fit_mixtures(cohort, {.components = 1});
  ScoredTrial& trial = cohort[0].trials[0];
  trial.attention.attended[5] = unknown_speaker;
  trial.scores.values(7, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto holed = fit_mixtures(cohort, {.components = 1});
  EXPECT_NE(whole.mixtures[0][0].mean, holed.mixtures[0][0].mean);
  EXPECT_EQ(whole.mixtures[1][0].mean, holed.mixtures[1][0].mean);
}

TEST(FitMixtures, ScoresOfSpeakersAreFeaturesToo) {
  const std::vector<ScoredParticipant> cohort{test::scored_participant({})};
  const MixtureEmission emission = fit_mixtures(cohort, {.components = 1});
  EXPECT_EQ(emission.features, emission.states);
  EXPECT_GT(emission.mixtures[0][0].mean(0), emission.mixtures[0][0].mean(1));
}

TEST(FitMixtures, SaysWhichStateIsTheTrouble) {
  std::vector<ScoredParticipant> cohort{with_features(4)};
  for (Speaker& label : cohort[0].trials[0].attention.attended) label = 0;
  expect_error(ErrorKind::bad_data, {"state s2", "never attended"}, [&] { (void)fit_mixtures(cohort); });
  cohort[0].trials[0].attention.attended[0] = 1;
  expect_error(ErrorKind::bad_data, {"state s2", "1 labelled windows", "2 components"},
               [&] { (void)fit_mixtures(cohort); });
  cohort = {with_features(4), with_features(5)};
  cohort[1].features[2] = "delta";
  expect_error(ErrorKind::bad_data, {"p4", "p5", "features"}, [&] { (void)fit_mixtures(cohort); });
  expect_error(ErrorKind::bad_data, {"no participant"}, [] { (void)fit_mixtures({}); });
}

}  // namespace
}  // namespace heed::emission
