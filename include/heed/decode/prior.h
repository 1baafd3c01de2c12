// SPDX-License-Identifier: MIT
// What other listeners know of how speech shows in EEG, lent to one who has little data. Only products of EEG and
// speech are lent: a listener's own noise, and so the covariance of the EEG, is nobody else's (docs/recipe.md).
#pragma once

#include <heed/decode/trial_statistics.h>

#include <cstddef>

namespace heed::decode {

struct CrossPrior {
  Matrix xy{};        // mean of x y' a sample over other listeners, of signals with deviation 1; as TrialStatistics::xy
  double weight = 0;  // b, 0 ... 1: how much of it replaces the listener's own
};

// b = .55 M / (M + 5) of M other listeners: three say next to nothing, eight a third.
[[nodiscard]] double automatic_prior_weight(std::size_t others) noexcept;

// xy -> (1 - b) xy + b samples prior; all else stays the listener's. The statistics must be of signals with
// deviation 1. Throws invalid_argument for a prior of another shape, or a weight outside 0 ... 1.
[[nodiscard]] TrialStatistics with_prior(TrialStatistics statistics, const CrossPrior& prior);

// Means of products at EEG delays first ... last behind the speech (delays x channels rows, x targets), laid out as xy
// of any lags whose differences they cover: speech and EEG are taken as stationary, so a product depends on the
// difference alone. Throws invalid_argument where the delays do not reach.
struct DelayedProducts {
  LagRange delays{};
  Index channels = 0;
  Matrix values{};
};
[[nodiscard]] LagRange delays_for(const DecoderLags& lags) noexcept;
[[nodiscard]] Matrix cross_products(const DelayedProducts& products, const DecoderLags& lags);

}  // namespace heed::decode
