// SPDX-License-Identifier: MIT
// Signals in units of their own standard deviation, channel by channel. Offline the scales are the signal's own; causal
// decoders bring those of their training data.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/matrix.h>
#include <heed/data/trial.h>

#include <span>

namespace heed::dsp {

// Mean and standard deviation (divided by n) of each column, missing rows left out. A flat column - one whose deviation
// is below 1e-12 of its largest value - has the deviation 0. Throws bad_data where every row is missing.
[[nodiscard]] SignalScales measure_scales(MatrixView signal, std::span<const SampleRange> missing = {});

// (x - mean) / deviation, in place; 0 in the missing rows, and throughout where the deviation is 0: such a channel says
// nothing. Throws invalid_argument where the scales are of another number of channels.
void standardise(MutableMatrixView signal, const SignalScales& scales, std::span<const SampleRange> missing = {});

}  // namespace heed::dsp
