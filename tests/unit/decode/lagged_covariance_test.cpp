// SPDX-License-Identifier: MIT
// Against sums written out, and the covariance of lagged EEG that statistics of trials have.
#include <decode/lagged_covariance.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <heed/decode/trial_statistics.h>

#include <Eigen/Eigenvalues>
#include <array>

namespace heed::decode {
namespace {

constexpr Index channels = 3;
constexpr Index lags = 4;

TEST(LaggedCovariance, IsTheSumWrittenOut) {
  Trial one = test::planted_trial({.samples = 40, .channels = channels, .seed = 3});
  const Trial two = test::planted_trial({.samples = 25, .channels = channels, .seed = 4});
  one.missing = {{10, 5}};
  one.eeg.middleRows(10, 5).setZero();
  const std::array<const Trial*, 2> trials{&one, &two};
  const Matrix found = lagged_covariance(trials, lags);
  ASSERT_EQ(found.rows(), lags * channels);
  ASSERT_EQ(found.cols(), channels);
  for (Index lag = 0; lag < lags; ++lag) {
    for (Index i = 0; i < channels; ++i) {
      for (Index j = 0; j < channels; ++j) {
        double sum = 0;
        for (const Trial* trial : trials) {
          for (Index t = 0; t + lag < trial->eeg.rows(); ++t) sum += trial->eeg(t + lag, i) * trial->eeg(t, j);
        }
        EXPECT_NEAR(found(lag * channels + i, j), sum / 60, 1e-13);
      }
    }
  }
}

// Spread out over the differences of lags, it is the covariance of the lagged EEG but for the ends of the trial.
TEST(LaggedCovariance, IsThatOfTheLaggedEegButForTheEnds) {
  const Trial trial = test::planted_trial({.samples = 20'000, .channels = channels, .seed = 5});
  const std::array<const Trial*, 1> trials{&trial};
  const Matrix compact = lagged_covariance(trials, lags);
  const TrialStatistics statistics = trial_statistics(trial, {{0, lags - 1}, {0, 0}});
  Matrix whole(lags * channels, lags * channels);
  for (Index row = 0; row < whole.rows(); ++row) {
    for (Index column = 0; column < whole.cols(); ++column) {
      const Index lag = row / channels - column / channels;
      whole(row, column) = lag >= 0 ? compact(lag * channels + row % channels, column % channels)
                                    : compact(-lag * channels + column % channels, row % channels);
    }
  }
  EXPECT_LT((whole - statistics.xx / statistics.samples).cwiseAbs().maxCoeff(), 2e-3);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(whole).eigenvalues().minCoeff(), 0);
}

TEST(LaggedCovariance, RefusesWhatDoesNotFit) {
  const Trial one = test::planted_trial({.samples = 40, .channels = channels});
  const Trial other = test::planted_trial({.samples = 40, .channels = 2});
  test::expect_error(ErrorKind::invalid_argument, {"same channels"}, [&] {
    (void)lagged_covariance(std::array<const Trial*, 2>{&one, &other}, lags);
  });
  test::expect_error(ErrorKind::invalid_argument, {"one lag"},
                     [&] { (void)lagged_covariance(std::array<const Trial*, 1>{&one}, 0); });
  test::expect_error(ErrorKind::invalid_argument, {"trials"}, [&] { (void)lagged_covariance({}, lags); });
}

}  // namespace
}  // namespace heed::decode
