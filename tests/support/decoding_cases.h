// SPDX-License-Identifier: MIT
// Trials with a known relation between EEG and sound: the EEG follows the attended speaker's envelope by two samples,
// on every channel with another weight, in noise.
#pragma once

#include <heed/data/random.h>
#include <heed/data/trial.h>
#include <pipeline/scoring/scaled_trials.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heed::test {

struct TrialCase {
  std::uint64_t seed = 1;
  Index samples = Index{64} * 60;
  Index channels = 4;
  Index speakers = 2;
  double response = 0.5;  // in units of the noise; 0: nothing to decode
  double unit = 1;        // what one standard deviation of noise is in the signal
  Index switch_at = 0;    // sample at which attention moves on from speaker 0; 0: never
};

// Each sample mixed with the one before: not white, as no envelope is.
inline Matrix smooth_noise(RandomStream& random, Index rows, Index columns) {
  Matrix noise(rows, columns);
  for (Index t = 0; t < rows; ++t) {
    for (Index c = 0; c < columns; ++c) noise(t, c) = random.normal() + (t > 0 ? 0.6 * noise(t - 1, c) : 0);
  }
  return noise * 0.8;
}

inline Trial make_trial(const std::string& name, const TrialCase& one) {
  RandomStream random(one.seed, 7);
  Trial trial;
  trial.name = name;
  trial.sampling_frequency = Hertz{64};
  for (Index c = 0; c < one.channels; ++c) trial.channels.push_back("C" + std::to_string(c + 1));
  for (Index s = 0; s < one.speakers; ++s) {
    trial.speakers.push_back("speaker-" + std::to_string(s + 1));
    trial.stimuli.push_back(smooth_noise(random, one.samples, 1));
  }
  trial.eeg = smooth_noise(random, one.samples, one.channels);
  const Index first = one.switch_at > 0 ? one.switch_at : one.samples;
  trial.attention = {{{0, first}, 0}};
  if (first < one.samples) trial.attention.push_back({{first, one.samples - first}, 1});
  constexpr Index delay = 2;
  for (Index t = delay; t < one.samples; ++t) {
    const std::size_t attended = t - delay < first ? 0 : 1;
    const double heard = trial.stimuli[attended](t - delay, 0);
    for (Index c = 0; c < one.channels; ++c) trial.eeg(t, c) += one.response * heard / static_cast<double>(c + 1);
  }
  trial.eeg *= one.unit;
  return trial;
}

inline pipeline::ParticipantTrials make_participant(const std::string& id, std::size_t trials, TrialCase one) {
  pipeline::ParticipantTrials result{.id = id};
  for (std::size_t k = 0; k < trials; ++k) {
    const std::string run = "sub-" + id + "_task-attend_run-0" + std::to_string(k + 1);
    result.trials.push_back(make_trial(run, one));
    result.runs.push_back(run);
    ++one.seed;
  }
  return result;
}

}  // namespace heed::test
