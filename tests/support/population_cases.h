// SPDX-License-Identifier: MIT
// Listeners who answer speech alike, what their trials were made from, and the population of them.
#pragma once

#include <pipeline/scoring/population_entries.h>

#include <string>
#include <vector>

#include "support/decoding_cases.h"

namespace heed::test {

// sounds[k] is what trial k of everybody played.
struct CohortCase {
  std::size_t listeners = 6;
  std::vector<std::string> sounds{"story-1", "story-2"};
  TrialCase trial{.samples = Index{64} * 30};
};

struct Listener {
  pipeline::ParticipantTrials trials{};
  std::vector<pipeline::TrialSource> sources{};
};

inline std::vector<Listener> make_cohort(const CohortCase& one = {}) {
  std::vector<Listener> cohort;
  for (std::size_t k = 0; k < one.listeners; ++k) {
    Listener listener;
    TrialCase trial = one.trial;
    trial.seed += 1000 * (k + 1);
    listener.trials = make_participant("0" + std::to_string(k + 1), one.sounds.size(), trial);
    for (std::size_t t = 0; t < one.sounds.size(); ++t) {
      const std::string& name = listener.trials.trials[t].name;
      listener.sources.push_back(
          {.trial = name, .run = name, .recording = "eeg of " + name, .stimuli = {one.sounds[t]}});
    }
    cohort.push_back(std::move(listener));
  }
  return cohort;
}

inline Population population_of(const std::vector<Listener>& cohort, const pipeline::PopulationOptions& options) {
  std::vector<PopulationEntry> entries;
  for (const Listener& listener : cohort) {
    for (PopulationEntry& entry : pipeline::population_entries(listener.trials, listener.sources, options)) {
      entries.push_back(std::move(entry));
    }
  }
  return pipeline::make_population(options, std::move(entries));
}

inline pipeline::PopulationOptions least_squares_population() {
  return {.choice = {.kind = pipeline::DecoderKind::least_squares}};
}

}  // namespace heed::test
