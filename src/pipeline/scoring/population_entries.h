// SPDX-License-Identifier: MIT
// A population made, listener by listener: sums only, so that one listener's EEG is in memory at a time.
#pragma once

#include <heed/data/population.h>
#include <pipeline/preparation/preparation.h>
#include <pipeline/scoring/scaled_trials.h>

#include <span>
#include <vector>

namespace heed::pipeline {

struct PopulationOptions {
  DecoderChoice choice{};    // least squares or CCA
  Seconds window{1};         // of the scores
  bool scores = true;        // whether to cross-validate each listener for the spread of scores; costs most of the time
  bool covariances = false;  // whether to keep those of the EEG, which adaptive decoders start from
};

// Whether an adaptive decoder can start from a population of this choice: least squares of one target.
[[nodiscard]] bool can_adapt(const DecoderChoice& choice) noexcept;

// Throws unsupported for CSP, which has no response to speech.
void check_population(const PopulationOptions& options);

// Of one listener: an entry for all labelled trials of a run that played the same sounds. `sources` are of all its
// trials, or more.
// Scores come from decoders of the listener's other trials; a listener with one labelled trial has none. Empty without
// labels. Throws invalid_argument for sources of other trials, bad_data as cross_validate does.
[[nodiscard]] std::vector<PopulationEntry> population_entries(const ParticipantTrials& participant,
                                                              std::span<const TrialSource> sources,
                                                              const PopulationOptions& options);

// All entries together, whoever they are of.
[[nodiscard]] Population population_of(const PopulationOptions& options, std::vector<PopulationEntry> entries);

// The same for others to use. Throws bad_data for fewer than two listeners: one is no population.
[[nodiscard]] Population make_population(const PopulationOptions& options, std::vector<PopulationEntry> entries);

}  // namespace heed::pipeline
