// SPDX-License-Identifier: MIT
#include <emission/mixture_density.h>
#include <gtest/gtest.h>
#include <heed/emission/log_likelihoods.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/allocation_counter.h"
#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;

GaussianComponent component(double weight, Eigen::VectorXd mean, Matrix covariance) {
  return {.weight = weight, .mean = std::move(mean), .covariance = std::move(covariance)};
}

const Matrix full = (Matrix(3, 3) << 1.0, 0.3, -0.2, 0.3, 2.0, 0.5, -0.2, 0.5, 1.5).finished();
const Matrix diagonal = Eigen::Vector3d(0.5, 0.25, 4).asDiagonal();

MixtureEmission two_states(CovarianceShape shape, const Matrix& first, const Matrix& second) {
  const auto one = component(0.3, Eigen::Vector3d(0.1, 0.2, 0.3), first);
  const auto other = component(0.7, Eigen::Vector3d(-1, 0, 1), second);
  return {.shape = shape,
          .states = {"left", "right"},
          .features = {"a", "b", "c"},
          .mixtures = {{one, other}, {component(1, Eigen::Vector3d(2, 2, 2), second)}}};
}

// exp of the quadratic form over the root of the determinant: no factor, no logarithm.
double brute_force(const std::vector<GaussianComponent>& state, const Eigen::VectorXd& x) {
  double sum = 0;
  for (const GaussianComponent& one : state) {
    const Eigen::VectorXd residual = x - one.mean;
    const Eigen::MatrixXd covariance = one.covariance;
    const double quadratic = residual.dot(covariance.inverse() * residual);
    sum += one.weight * std::exp(-quadratic / 2) /
           std::sqrt(std::pow(2 * std::numbers::pi, static_cast<double>(x.size())) * covariance.determinant());
  }
  return sum;
}

// scipy.stats.multivariate_normal and logsumexp.
TEST(MixtureDensity, AgreesWithAnotherProgram) {
  const std::array<double, 3> x{0.3, -1.2, 2.0};
  const auto state = two_states(CovarianceShape::full, full, diagonal).mixtures[0];
  EXPECT_NEAR(ComponentDensity(state[0], CovarianceShape::full).log(x), -5.601673171361718, 1e-13);
  EXPECT_NEAR(ComponentDensity(state[1], CovarianceShape::full).log(x), -7.105242009334045, 1e-13);
  EXPECT_NEAR(ComponentDensity(state[1], CovarianceShape::diagonal).log(x), -7.105242009334045, 1e-13);
  std::array<double, 2> result{};
  MixtureDensity::make(two_states(CovarianceShape::full, full, diagonal)).log_densities_into(x, result);
  EXPECT_NEAR(result[0], -6.3877370916815766, 1e-13);
}

TEST(MixtureDensity, IsTheSumOfDensities) {
  const MixtureEmission emission = two_states(CovarianceShape::full, full, diagonal);
  const Matrix points = test::clouds(200, {Eigen::VectorXd::Zero(3)}, 1.5, 4);
  const LogLikelihoods result = log_likelihoods(emission, {points, Seconds{1}});
  ASSERT_EQ(result.values.cols(), 2);
  for (Index t = 0; t < points.rows(); ++t) {
    for (Index s = 0; s < 2; ++s) {
      EXPECT_NEAR(result.values(t, s),
                  std::log(brute_force(emission.mixtures[static_cast<std::size_t>(s)], points.row(t))), 1e-12);
    }
  }
}

TEST(MixtureDensity, DiagonalIsFullWithoutTheRest) {
  const Matrix points = test::clouds(50, {Eigen::VectorXd::Ones(3)}, 2, 5);
  const auto as = [&](CovarianceShape shape) {
    return log_likelihoods(two_states(shape, diagonal, diagonal), {points, Seconds{1}}).values;
  };
  EXPECT_LT((as(CovarianceShape::diagonal) - as(CovarianceShape::full)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(MixtureDensity, FarAwayIsFiniteAndAWeightOfZeroIsNothing) {
  MixtureEmission emission = two_states(CovarianceShape::full, full, diagonal);
  emission.mixtures[0][0].weight = 0;
  emission.mixtures[0][1].weight = 1;
  const MixtureDensity density = MixtureDensity::make(emission);
  const std::array<double, 3> far{1e6, -1e6, 1e6};
  std::array<double, 2> result{};
  density.log_densities_into(far, result);
  EXPECT_TRUE(std::isfinite(result[0]) && std::isfinite(result[1]));
  EXPECT_EQ(result[0], ComponentDensity(emission.mixtures[0][1], CovarianceShape::full).log(far));
}

TEST(MixtureDensity, AWindowAllocatesNothing) {
  const MixtureDensity density = MixtureDensity::make(two_states(CovarianceShape::full, full, diagonal));
  const std::array<double, 3> x{1, 2, 3};
  std::array<double, 2> result{};
  const test::AllocationCount allocations;
  density.log_densities_into(x, result);
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(MixtureDensity, MissingAndInfiniteFeatures) {
  const MixtureEmission emission = two_states(CovarianceShape::full, full, diagonal);
  Matrix points = Matrix::Zero(2, 3);
  points(0, 1) = std::numeric_limits<double>::quiet_NaN();
  const LogLikelihoods result = log_likelihoods(emission, {points, Seconds{1}});
  EXPECT_TRUE(result.values.row(0).array().isNaN().all());
  EXPECT_TRUE(result.values.row(1).allFinite());
  points(1, 2) = -std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::bad_data, {"window 2", "infinite"}, [&] {
    (void)log_likelihoods(emission, {points, Seconds{1}});
  });
}

TEST(MixtureDensity, RefusesAnotherNumberOfFeatures) {
  const MixtureEmission emission = two_states(CovarianceShape::full, full, diagonal);
  expect_error(ErrorKind::bad_data, {"2 features", "fitted to 3", "fit again"}, [&] {
    (void)log_likelihoods(emission, {Matrix::Zero(4, 2), Seconds{1}});
  });
  expect_error(ErrorKind::invalid_argument, {"2 states", "not 3"}, [&] { check(emission, 3); });
}

TEST(MixtureDensity, RefusesWhatIsNoMixture) {
  MixtureEmission bad = two_states(CovarianceShape::full, full, diagonal);
  bad.mixtures[1][0].covariance = Matrix::Ones(3, 3);
  expect_error(ErrorKind::singular, {"state right", "positive definite"}, [&] { (void)MixtureDensity::make(bad); });
  bad.shape = CovarianceShape::diagonal;
  bad.mixtures[1][0].covariance = Matrix::Zero(3, 3);
  expect_error(ErrorKind::singular, {"state right"}, [&] { (void)MixtureDensity::make(bad); });
  bad = two_states(CovarianceShape::full, full, diagonal);
  bad.mixtures[0][0].weight = 0.5;
  expect_error(ErrorKind::invalid_argument, {"sum to one"}, [&] { (void)MixtureDensity::make(bad); });
  bad.mixtures[0][0].weight = -0.5;
  expect_error(ErrorKind::invalid_argument, {"weights"}, [&] { (void)MixtureDensity::make(bad); });
  bad = two_states(CovarianceShape::full, full, diagonal);
  bad.mixtures[1][0].mean = Eigen::VectorXd::Zero(2);
  expect_error(ErrorKind::invalid_argument, {"3 finite means"}, [&] { (void)MixtureDensity::make(bad); });
  expect_error(ErrorKind::invalid_argument, {"states"}, [] { (void)MixtureDensity::make({}); });
}

}  // namespace
}  // namespace heed::emission
