// SPDX-License-Identifier: MIT
// Calibration of an emission by one number: log-likelihoods are divided by the temperature that makes the causal
// posterior predict the attended speaker best. A loss of single windows would not see scores that repeat each other.
#pragma once

#include <heed/hmm/baum_welch.h>
#include <heed/hmm/chain.h>

#include <span>
#include <vector>

namespace heed::emission {

// Where temperatures are looked for. An end that comes out means that the log-likelihoods say nothing (the higher
// one), or far too little (the lower one).
inline constexpr double lowest_temperature = 0.01;
inline constexpr double highest_temperature = 100;

// A participant's trials; windows without a label are filtered but not judged.
using LabelledTrials = std::vector<hmm::TrainingSequence>;

// Mean of -log P(the attended speaker | windows so far) over labelled windows, then over participants. Probabilities
// below 1e-15 count as that. Throws bad_data without a labelled window, invalid_argument on shapes that do not fit.
[[nodiscard]] double causal_log_loss(const hmm::Chain& chain, std::span<const LabelledTrials> participants,
                                     double temperature = 1);

// The temperature with the least causal log-loss: a coarse search over the whole range, then a golden-section search
// on log T to a relative 1e-4. Throws as causal_log_loss.
[[nodiscard]] double fit_temperature(const hmm::Chain& chain, std::span<const LabelledTrials> participants);

}  // namespace heed::emission
