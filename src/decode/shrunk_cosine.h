// SPDX-License-Identifier: MIT
// The score of a window whose powers are shrunk towards those of the whole signal (docs/recipe.md).
#pragma once

#include <heed/decode/window_sums.h>

#include <span>

namespace heed::decode {

// Of one pair, or of several as parts of one signal. `weight`: shrinkage times the samples of the window. Within
// -1 ... 1; NaN where there is no power at all.
[[nodiscard]] double shrunk_cosine(std::span<const PairSums> parts, std::span<const PairPowers> powers, double weight);

}  // namespace heed::decode
