// SPDX-License-Identifier: MIT
// Gains that share one whole and walk: what the Markov-chain and the probabilistic gain control have in common.
#pragma once

#include <heed/data/series.h>

#include <span>

namespace heed::track {

// g_j <- clip(g_j + step (share_j - 1/N) N/(N-1), 0, 1), scaled back to sum one. Both sum to one; a share of one
// moves its speaker by `step`, equal shares move nobody.
void walk(std::span<double> gains, std::span<const double> shares, double step) noexcept;

// The decision rule of core on gains: equal but for rounding is a tie, for steps there and back do not add to 0.
[[nodiscard]] Path decide_gains(const Posteriors& gains);

}  // namespace heed::track
