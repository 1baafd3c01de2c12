// SPDX-License-Identifier: MIT
#include <data/text.h>
#include "decode/dense/dense.h"
#include "decode/training/fitting.h"

#include <heed/data/error.h>
#include <heed/decode/least_squares.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

double mean_variance(const TrialStatistics& statistics) {
  const double trace = statistics.xx.trace();
  if (!(trace > 0)) {
    throw Error(ErrorKind::singular, "all EEG channels are flat in the training data; check the recording's channels");
  }
  return trace / static_cast<double>(statistics.xx.rows());
}

// How well the reconstruction of `held_out` correlates with what was attended, from sums alone; all targets together,
// as in scores.
double held_out_correlation(const Matrix& weights, const TrialStatistics& held_out) {
  const Index first = attended_column(held_out);
  double cross = 0;
  double reconstructed = 0;
  double attended = 0;
  for (Index k = 0; k < weights.cols(); ++k) {
    cross += weights.col(k).dot(held_out.xy.col(first + k));
    reconstructed += weights.col(k).dot(held_out.xx * weights.col(k));
    attended += held_out.yy(first + k, first + k);
  }
  const double power = reconstructed * attended;
  return power > 0 ? cross / std::sqrt(power) : 0;
}

}  // namespace

std::vector<double> default_ridge_grid() {
  std::vector<double> grid;
  for (int step = -6; step <= 2; ++step) grid.push_back(std::pow(10.0, step / 2.0));
  return grid;
}

double ledoit_wolf_shrinkage(const TrialStatistics& statistics) {
  const double samples = statistics.samples;
  const auto n = static_cast<double>(statistics.xx.rows());
  const double mean = mean_variance(statistics) / samples;
  const double squares = statistics.xx.squaredNorm() / (samples * samples);
  const double distance = squares / n - mean * mean;
  const double spread = (statistics.fourth_powers() - samples * squares) / (n * samples * samples);
  // A covariance that is a multiple of the identity already: nothing to shrink.
  return distance > 0 ? std::clamp(spread / distance, 0.0, 1.0) : 0;
}

Matrix regularised(TrialStatistics statistics, const Regularisation& regularisation) {
  const double mean = mean_variance(statistics);
  switch (regularisation.kind) {
    case RegularisationKind::ridge:
      if (!(regularisation.ridge >= 0) || !std::isfinite(regularisation.ridge)) {
        throw Error(ErrorKind::invalid_argument, "a ridge of " + data::shown(regularisation.ridge) +
                                                     " is not possible; give a number of at least 0 (0.1 is usual)");
      }
      statistics.xx.diagonal().array() += regularisation.ridge * mean;
      break;
    case RegularisationKind::ledoit_wolf: {
      const double shrinkage = ledoit_wolf_shrinkage(statistics);
      statistics.xx *= 1 - shrinkage;
      statistics.xx.diagonal().array() += shrinkage * mean;
      break;
    }
    case RegularisationKind::cross_validated:
      throw Error(ErrorKind::invalid_argument, "a ridge to be cross-validated must be chosen before it can be applied");
  }
  return std::move(statistics.xx);
}

double choose_ridge(std::span<const InnerFold> folds, std::span<const double> grid) {
  if (folds.size() < 2) {
    throw Error(ErrorKind::bad_data,
                "too little training data to choose a ridge: at least 2 folds are needed; give a ridge");
  }
  if (grid.empty() || std::any_of(grid.begin(), grid.end(), [](double lambda) { return !(lambda > 0); })) {
    throw Error(ErrorKind::invalid_argument,
                "there must be at least one ridge to choose from, and all of them above 0");
  }
  std::vector<double> lambdas(grid.begin(), grid.end());
  std::sort(lambdas.begin(), lambdas.end());
  std::vector<double> correlations(lambdas.size(), 0);
  for (const InnerFold& fold : folds) {
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
      const Matrix weights = solve_least_squares(fold.training, {RegularisationKind::ridge, lambdas[i], {}});
      correlations[i] += held_out_correlation(weights, fold.held_out);
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < lambdas.size(); ++i) {
    if (correlations[i] >= correlations[best]) best = i;
  }
  return lambdas[best];
}

}  // namespace heed::decode
