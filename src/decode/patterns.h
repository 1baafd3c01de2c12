// SPDX-License-Identifier: MIT
// Forward patterns: where on the scalp, and when, the decoded signal shows. A decoder's weights cannot be read so, as
// they cancel noise as well (docs/decoding.md, Patterns).
#pragma once

#include <heed/decode/trial_statistics.h>

#include <vector>

namespace heed::decode {

// [pair, or target of least squares] lags x channels: Rxx w / (w' Rxx w), of the decoder's training data (or other data
// of the same channels and lags). Where the decoder keeps scales the pattern is in units of them. Throws
// invalid_argument for statistics of another shape, singular for weights that give nothing.
[[nodiscard]] std::vector<Matrix> forward_patterns(const Decoder& decoder, const TrialStatistics& statistics);

}  // namespace heed::decode
