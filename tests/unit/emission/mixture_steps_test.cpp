// SPDX-License-Identifier: MIT
#include <emission/mixture_steps.h>
#include <gtest/gtest.h>
#include <heed/emission/supervised.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

TEST(MixtureSteps, StandardisedFeaturesGoThereAndBack) {
  Matrix raw = test::clouds(200, {Eigen::Vector2d(3, -40), Eigen::Vector2d(5, 60)}, 2, 1);
  const Standardised standard(raw);
  EXPECT_LT(standard.points.colwise().mean().norm(), 1e-12);
  EXPECT_LT((standard.points.array().square().colwise().mean() - 1).matrix().norm(), 1e-12);
  const GaussianComponent component{0.3, Eigen::Vector2d(4, 7), (Matrix(2, 2) << 2, 0.5, 0.5, 9).finished()};
  const GaussianComponent back = standard.restored(standard.standardised(component));
  EXPECT_LT((back.mean - component.mean).norm(), 1e-12);
  EXPECT_LT((back.covariance - component.covariance).norm(), 1e-12);
  EXPECT_EQ(back.weight, 0.3);
  raw.col(1).setConstant(2);
  test::expect_error(ErrorKind::singular, {"feature 2 does not vary"}, [&] { (void)Standardised(raw); });
}

TEST(MixtureSteps, NoAxisFallsBelowTheFloor) {
  const Matrix flat = (Matrix(2, 2) << 1, 1, 1, 1).finished();
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(floored(flat, CovarianceShape::full));
  EXPECT_NEAR(axes.eigenvalues()(0), covariance_floor, 1e-12);
  EXPECT_NEAR(axes.eigenvalues()(1), 2, 1e-12);
  EXPECT_EQ(floored(flat, CovarianceShape::diagonal), Matrix(Matrix::Identity(2, 2)));
}

// Two components of one feature, by hand; the second point counts a quarter.
TEST(MixtureSteps, SharesAndTheMaximumTheyGive) {
  const Matrix points = (Matrix(2, 1) << 0.5, -1).finished();
  const Matrix one = Matrix::Ones(1, 1);
  const MixtureComponents components{{0.25, Eigen::VectorXd::Constant(1, 1), one},
                                     {0.75, Eigen::VectorXd::Constant(1, -1), one}};
  Matrix shares(2, 2);
  const double total = share_out(points, components, CovarianceShape::full, shares);
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); };
  const double first = (0.25 * density(0.5)) + (0.75 * density(1.5));
  const double second = (0.25 * density(2)) + (0.75 * density(0));
  EXPECT_NEAR(total, std::log(first) + std::log(second), 1e-14);
  EXPECT_NEAR(shares(0, 0), 0.25 * density(0.5) / first, 1e-14);
  shares.row(1) *= 0.25;
  const auto better = maximised({points, shares, 1.25}, components, CovarianceShape::full);
  const double belonging = shares.col(0).sum();
  EXPECT_NEAR(better[0].weight, belonging / 1.25, 1e-14);
  EXPECT_NEAR(better[0].mean(0), ((0.5 * shares(0, 0)) - shares(1, 0)) / belonging, 1e-14);
  EXPECT_NEAR(better[0].weight + better[1].weight, 1, 1e-14);
  shares.setZero();
  shares(0, 1) = 1;
  const auto lonely = maximised({points, shares, 1}, components, CovarianceShape::full);
  EXPECT_EQ(lonely[0].weight, 0);
  EXPECT_EQ(lonely[0].mean, components[0].mean);
}

TEST(MixtureSteps, ClustersAreFoundByTheirDistance) {
  const Matrix points = test::clouds(60, {Eigen::Vector2d(-50, 0), Eigen::Vector2d(50, 0)}, 1, 2);
  const auto nearest = seeded_clusters(points, 2, 1);
  for (Index i = 0; i < 60; ++i) {
    EXPECT_EQ(nearest[static_cast<std::size_t>(i)] == nearest[0], (points(i, 0) > 0) == (points(0, 0) > 0));
  }
  EXPECT_EQ(seeded_clusters(points, 2, 1), nearest);
}

}  // namespace
}  // namespace heed::emission
