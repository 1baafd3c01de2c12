// SPDX-License-Identifier: MIT
// Ledoit-Wolf against scikit-learn; the ridge by its definition; the choice of a ridge by trying all.
#include <heed/decode/least_squares.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"
#include "unit/decode/oracle_values.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

namespace heed::decode {
namespace {

using test::planted_trial;

constexpr DecoderLags lags{{0, 3}, {0, 0}};

TEST(Regularisation, LedoitWolfIsThatOfScikitLearn) {
  const TrialStatistics statistics = trial_statistics(planted_trial(), lags);
  EXPECT_NEAR(ledoit_wolf_shrinkage(statistics), test::ledoit_wolf_shrinkage_oracle[0], 1e-12);
  const Matrix covariance = regularised(statistics, {RegularisationKind::ledoit_wolf, 0, {}}) / statistics.samples;
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 6; ++j) {
      EXPECT_NEAR(covariance(i, j), test::ledoit_wolf_covariance_oracle[static_cast<std::size_t>(6 * i + j)], 1e-12);
    }
  }
}

TEST(Regularisation, RidgeAddsItsShareOfTheMeanVariance) {
  const TrialStatistics statistics = trial_statistics(planted_trial(), lags);
  const Matrix found = regularised(statistics, {RegularisationKind::ridge, 0.3, {}});
  const Matrix added = found - statistics.xx;
  EXPECT_NEAR(added.trace() / statistics.xx.trace(), 0.3, 1e-14);
  EXPECT_NEAR((added - added(0, 0) * Matrix::Identity(16, 16)).norm(), 0, 1e-10);
}

// By lagged matrices and reconstructions; of several targets all at once.
double held_out_correlation(const std::vector<Trial>& trials, std::size_t held_out, double ridge) {
  const Index targets = trials[0].stimuli[0].cols();
  Matrix r = Matrix::Zero(16, 16);
  Matrix b = Matrix::Zero(16, targets);
  for (std::size_t j = 0; j < trials.size(); ++j) {
    if (j == held_out) continue;
    const Matrix x = test::lagged_matrix(trials[j].eeg, lags.eeg);
    r += x.transpose() * x;
    b += x.transpose() * trials[j].stimuli[0];
  }
  r += ridge * r.trace() / 16 * Matrix::Identity(16, 16);
  const Matrix u = test::lagged_matrix(trials[held_out].eeg, lags.eeg) * r.llt().solve(b);
  const Matrix& heard = trials[held_out].stimuli[0];
  return u.cwiseProduct(heard).sum() / u.norm() / heard.norm();
}

TEST(Regularisation, ChoosesTheRidgeThatCorrelatesBestOnHeldOutData) {
  const std::vector<double> grid{0.01, 0.1, 1, 10, 100};
  for (const bool two_targets : {false, true}) {
    std::vector<Trial> trials;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Trial trial = planted_trial({.samples = 90, .strength = 0.3, .seed = seed});
      trials.push_back(two_targets ? test::with_second_target(trial) : trial);
    }
    std::vector<InnerFold> folds;
    for (std::size_t i = 0; i < 3; ++i) {
      TrialStatistics rest;
      for (std::size_t j = 0; j < 3; ++j) {
        if (j != i) rest += trial_statistics(trials[j], lags);
      }
      folds.push_back({rest, trial_statistics(trials[i], lags)});
    }
    std::vector<double> correlations(grid.size(), 0);
    for (std::size_t g = 0; g < grid.size(); ++g) {
      for (std::size_t i = 0; i < 3; ++i) correlations[g] += held_out_correlation(trials, i, grid[g]);
    }
    const auto best = std::max_element(correlations.begin(), correlations.end()) - correlations.begin();
    EXPECT_EQ(choose_ridge(folds, grid), grid[static_cast<std::size_t>(best)]);
    EXPECT_GT(best, 0) << "a case in which the choice matters";
  }
  EXPECT_EQ(default_ridge_grid().size(), 9U);
  EXPECT_NEAR(default_ridge_grid().front(), 0.001, 1e-15);
  EXPECT_NEAR(default_ridge_grid().back(), 10, 1e-12);
}

TEST(Regularisation, RefusesWhatMakesNoSense) {
  const TrialStatistics statistics = trial_statistics(planted_trial(), lags);
  test::expect_error(ErrorKind::invalid_argument, {"ridge", "0.1 is usual"}, [&] {
    (void)regularised(statistics, {RegularisationKind::ridge, -1, {}});
  });
  test::expect_error(ErrorKind::invalid_argument, {"cross-validated"}, [&] {
    (void)regularised(statistics, {RegularisationKind::cross_validated, 0, {}});
  });
  Trial flat = planted_trial();
  flat.eeg.setZero();
  const TrialStatistics nothing = trial_statistics(flat, lags);
  test::expect_error(ErrorKind::singular, {"all EEG channels are flat"}, [&] { (void)regularised(nothing, {}); });
  const std::vector<InnerFold> folds(2, {statistics, statistics});
  const std::vector<double> grid{0.1, 0};
  test::expect_error(ErrorKind::invalid_argument, {"above 0"}, [&] { (void)choose_ridge(folds, grid); });
  test::expect_error(ErrorKind::bad_data, {"at least 2 folds"},
                     [&] { (void)choose_ridge(std::span(folds).first(1), std::span(grid).first(1)); });
}

}  // namespace
}  // namespace heed::decode
