// SPDX-License-Identifier: MIT
// Artefacts limited: blinks and movements are larger than EEG and would have most to say in a covariance.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/trial.h>

#include <span>

namespace heed::dsp {

// median |x| / 0.6745 of each column, missing rows left out: the standard deviation of a normal signal without mean (as
// band-passed ones are), whatever a few artefacts do. Throws bad_data where every row is missing.
[[nodiscard]] Eigen::VectorXd robust_deviations(MatrixView signal, std::span<const SampleRange> missing = {});

// Limits column c to +- times * deviations[c]; returns how many samples were beyond. A deviation of 0 limits nothing.
// Preconditions: one deviation a column.
Index clip(MutableMatrixView signal, const Eigen::VectorXd& deviations, double times) noexcept;

}  // namespace heed::dsp
