// SPDX-License-Identifier: MIT
// Scores -> LogLikelihoods: log b_j(t), how well a window's scores fit attention to speaker j
// (the paper's Section III; docs/mathematics.md has the formula of each family).
#pragma once

#include <heed/data/model.h>
#include <heed/data/series.h>

namespace heed::emission {

// Throws invalid_argument if the parameters make no emission for so many speakers.
void check(const Emission& emission, Index speakers);

// How many states scores of so many columns speak of: as many, but for a mixture, which knows its own.
[[nodiscard]] Index states_of(const Emission& emission, Index columns) noexcept;

// Gaussian, shared or separate sigma: the full log-density of the (transformed) scores. Exchangeable:
// (mu_a - mu_u)/(sigma^2 (1 - rho)) z_j, without the part common to all states, which is infinite at rho = -1/(N-1).
// A row with NaN becomes all NaN: a missing window; so does a hard decision that is a tie. Throws bad_data on a
// correlation beyond +-1, an infinite score, a row that is no distribution (probability, to within .02, the rounding
// of two decimals), or features the mixture was not fitted to.
[[nodiscard]] LogLikelihoods log_likelihoods(const Emission& emission, const Scores& scores);

// The same into the caller's storage, windows x states_of(). It may be that of `scores`, and nothing is allocated,
// but for a mixture: MixtureDensity is its form without allocation. Whoever goes through a table in pieces says how
// many windows were before, so that errors name the right one.
void log_likelihoods_into(const Emission& emission, MatrixView scores, MutableMatrixView result,
                          Index windows_before = 0);

// log b / temperature: above 1 the windows say less, below 1 more (temperature.h finds it). What is missing or
// impossible stays so. Throws invalid_argument unless the temperature is positive and finite.
[[nodiscard]] LogLikelihoods tempered(LogLikelihoods log_likelihoods, double temperature);

}  // namespace heed::emission
