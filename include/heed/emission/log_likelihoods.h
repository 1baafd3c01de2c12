// SPDX-License-Identifier: MIT
// Scores -> LogLikelihoods: log b_j(t), how well a window's scores fit attention to speaker j
// (the paper's Section III, its eq. for b_j; algorithms.md 7 for the other families).
#pragma once

#include <heed/data/model.h>
#include <heed/data/series.h>

namespace heed::emission {

// Throws invalid_argument if the parameters make no emission for so many speakers.
void check(const Emission& emission, Index speakers);

// Gaussian, shared or separate sigma: the full log-density of the (transformed) scores. Exchangeable:
// (mu_a - mu_u)/(sigma^2 (1 - rho)) z_j, without the part common to all states, which is infinite at rho = -1/(N-1).
// A row with NaN becomes all NaN: a missing window. Throws bad_data on a correlation beyond +-1 or an infinite score.
[[nodiscard]] LogLikelihoods log_likelihoods(const Emission& emission, const Scores& scores);

// The same into the caller's storage, of the shape of `scores`; may be the same storage. Allocates nothing.
void log_likelihoods_into(const Emission& emission, MatrixView scores, MutableMatrixView result);

}  // namespace heed::emission
