// SPDX-License-Identifier: MIT
// Signals in units of their own standard deviation, channel by channel, and limited to so many of them. Offline the
// scales are the signal's own; causal decoders bring those of their training data.
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

// Artefacts limited: blinks and movements are larger than EEG and would have most to say in a covariance.

// median |x| / 0.6745 of each column, missing rows left out: the standard deviation of a normal signal without mean (as
// band-passed ones are), whatever a few artefacts do. Throws bad_data where every row is missing.
[[nodiscard]] Eigen::VectorXd robust_deviations(MatrixView signal, std::span<const SampleRange> missing = {});

// Limits column c to +- times * deviations[c]; returns how many samples were beyond. A deviation of 0 limits nothing.
// Preconditions: one deviation a column.
Index clip(MutableMatrixView signal, const Eigen::VectorXd& deviations, double times) noexcept;

}  // namespace heed::dsp
