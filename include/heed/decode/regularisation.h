// SPDX-License-Identifier: MIT
// What is added to a covariance before it is inverted (docs/decoding.md, Regularisation).
#pragma once

#include <heed/decode/trial_statistics.h>

#include <span>
#include <vector>

namespace heed::decode {

enum class RegularisationKind {
  ridge,            // R + lambda tr(R)/n I
  cross_validated,  // the same, lambda chosen within the training data
  ledoit_wolf,      // takes samples as independent and so shrinks too little for EEG; for comparison
};

struct Regularisation {
  RegularisationKind kind = RegularisationKind::ridge;
  double ridge = 0.1;          // lambda of `ridge`
  std::vector<double> grid{};  // lambdas of `cross_validated`; empty: default_ridge_grid()
};

// 0.001 ... 10, two a decade.
[[nodiscard]] std::vector<double> default_ridge_grid();

// How much of the mean variance replaces the covariance: R -> (1 - s) R + s tr(R)/n I. 0 ... 1.
[[nodiscard]] double ledoit_wolf_shrinkage(const TrialStatistics& statistics);

// The regularised sum of x x'. Throws invalid_argument for a negative ridge and for `cross_validated`, which
// wants choose_ridge first; singular if all channels are flat.
[[nodiscard]] Matrix regularised(const TrialStatistics& statistics, const Regularisation& regularisation);

// Training data with a part held out, both as sums.
struct InnerFold {
  TrialStatistics training{};
  TrialStatistics held_out{};
};

// The lambda whose least-squares decoders, fitted on the training parts, correlate best with the attended stimulus of
// the parts held out, on average over folds; the larger of two that are equal. One Cholesky factorisation a fold and
// lambda. Throws bad_data with fewer than 2 folds, invalid_argument for a grid that is empty or not positive.
[[nodiscard]] double choose_ridge(std::span<const InnerFold> folds, std::span<const double> grid);

}  // namespace heed::decode
