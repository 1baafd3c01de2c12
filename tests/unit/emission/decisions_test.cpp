// SPDX-License-Identifier: MIT
// Emissions of decoders that decide or give probabilities, and the temperature applied to any of them.
#include <gtest/gtest.h>
#include <heed/emission/log_likelihoods.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(HardDecision, TheLargestScoreIsRightAsOftenAsTheAccuracySays) {
  const Scores scores{(Matrix(2, 3) << 0.1, 0.7, -2, 1, 0, 0).finished(), Seconds{1}};
  const Matrix result = log_likelihoods(HardDecisionEmission{0.7}, scores).values;
  const Matrix expected =
      (Matrix(2, 3) << std::log(0.15), std::log(0.7), std::log(0.15), std::log(0.7), std::log(0.15), std::log(0.15))
          .finished();
  EXPECT_LT((result - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(result.row(0).array().exp().sum(), 1, 1e-15);
}

TEST(HardDecision, ATieOrAMissingScoreIsAMissingWindow) {
  const Scores scores{(Matrix(3, 3) << 0.7, 0.7, 0.1, nan, 1, 2, 0, 1, 0).finished(), Seconds{1}};
  const Matrix result = log_likelihoods(HardDecisionEmission{0.6}, scores).values;
  EXPECT_TRUE(result.row(0).array().isNaN().all());
  EXPECT_TRUE(result.row(1).array().isNaN().all());
  EXPECT_TRUE(result.row(2).allFinite());
  // A tie below the top is none.
  EXPECT_EQ(result(2, 0), result(2, 2));
}

TEST(HardDecision, InPlaceIsTheSame) {
  Scores scores{(Matrix(2, 2) << 0.2, 0.1, -0.4, -0.3).finished(), Seconds{1}};
  const Matrix apart = log_likelihoods(HardDecisionEmission{0.9}, scores).values;
  log_likelihoods_into(HardDecisionEmission{0.9}, data::view(std::as_const(scores.values)), data::view(scores.values));
  EXPECT_EQ(scores.values, apart);
}

TEST(HardDecision, AccuracyLiesBetweenChanceAndOne) {
  for (const double accuracy : {0.5, 1.0, 0.2, -1.0, 1.5, nan}) {
    expect_error(ErrorKind::invalid_argument, {"accuracy", "1/N", "below 1"},
                 [&] { check(HardDecisionEmission{accuracy}, 2); });
  }
  EXPECT_NO_THROW(check(HardDecisionEmission{0.4}, 3));
  expect_error(ErrorKind::invalid_argument, {"0.333"}, [] { check(HardDecisionEmission{1.0 / 3}, 3); });
}

TEST(Probability, IsTheLogarithmLessThatOfThePrior) {
  const Scores scores{(Matrix(2, 2) << 0.8, 0.2, 1, 0).finished(), Seconds{1}};
  const Matrix uniform = log_likelihoods(ProbabilityEmission{}, scores).values;
  EXPECT_DOUBLE_EQ(uniform(0, 0), std::log(0.8));
  EXPECT_EQ(uniform(1, 1), -infinity) << "a probability of 0 is evidence, not a missing window";
  const Matrix divided = log_likelihoods(ProbabilityEmission{{0.6, 0.4}}, scores).values;
  EXPECT_NEAR(divided(0, 0) - divided(0, 1), std::log(0.8 / 0.6) - std::log(0.2 / 0.4), 1e-15);
}

TEST(Probability, RowsMustBeDistributions) {
  const auto refuse = [](double a, double b) {
    const Scores scores{(Matrix(2, 2) << 0.5, 0.5, a, b).finished(), Seconds{1}};
    expect_error(ErrorKind::bad_data, {"window 2", "probabilities"},
                 [&] { (void)log_likelihoods(ProbabilityEmission{}, scores); });
  };
  refuse(0.6, 0.6);
  refuse(-0.1, 1.1);
  refuse(2.3, -1.3);
  refuse(infinity, 0);
  const Scores rounded{(Matrix(1, 3) << 0.33, 0.33, 0.33).finished(), Seconds{1}};
  EXPECT_NO_THROW((void)log_likelihoods(ProbabilityEmission{}, rounded)) << "two decimals are allowed";
  expect_error(ErrorKind::invalid_argument, {"class priors"}, [] { check(ProbabilityEmission{{0.5, 0.6}}, 2); });
}

TEST(Tempered, DividesAndKeepsWhatIsMissingOrImpossible) {
  const LogLikelihoods given{(Matrix(2, 2) << -3, -infinity, nan, -1).finished(), Seconds{2}};
  const LogLikelihoods half = tempered(given, 2);
  EXPECT_EQ(half.values(0, 0), -1.5);
  EXPECT_EQ(half.values(0, 1), -infinity);
  EXPECT_TRUE(std::isnan(half.values(1, 0)));
  EXPECT_EQ(half.window, Seconds{2});
  for (const double temperature : {0.0, -1.0, infinity, nan}) {
    expect_error(ErrorKind::invalid_argument, {"temperature"}, [&] { (void)tempered(given, temperature); });
  }
}

}  // namespace
}  // namespace heed::emission
