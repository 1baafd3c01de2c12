// SPDX-License-Identifier: MIT
// Recordings of a cohort with known truth: which listeners, what they hear, how well their brains can be
// read and what disturbs the EEG. The defaults are the paper's first data set; docs/simulation.md has the model.
#pragma once

#include <heed/data/scored.h>
#include <heed/data/units.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heed::sim {

struct RecordingCohortOptions {
  int participants = 13;
  int trials = 4;            // of each participant; each is a run of its own
  int sustained_trials = 0;  // the first so many of them have no switch of attention
  Seconds trial{600};
  SwitchInterval interval{};  // longer than the trial: no switch
  int speakers = 2;
  bool turn_taking = false;             // each speaker is a conversation: two talkers in turns, a file each
  std::vector<std::string> channels{};  // names of the 10-10 system; empty: electrodes(64)
  Hertz sampling_frequency{128};        // of the EEG, 32 or more
  Hertz sound_frequency{16000};         // 8000 or more, whole
  double signal = 1;                    // responses to speech; 1 is calibrated, 0: there is nothing to decode
  double signal_spread = 0.15;          // standard deviation over participants, as a part of `signal`
  double noise = 1;                     // everything in the EEG that is no response to speech; 0: responses alone
  double gaze = 1;                      // how far activity leans to the attended side; 0: CSP finds nothing
  double blinks = 0;                    // a minute
  double artefacts = 0;                 // bursts of muscle or movement on a few channels, a minute
  double dropouts = 0;                  // stretches without EEG (NaN), a minute
  Seconds dropout_length{3};            // mean
  double line_noise = 0;                // amplitude in microvolt
  Hertz line_frequency{50};
  std::uint64_t seed = 1;
  friend bool operator==(const RecordingCohortOptions&, const RecordingCohortOptions&) = default;
};

// The paper's second data set: 20 participants, three conversations of two talkers, six trials, the first
// three of them sustained (each conversation once).
[[nodiscard]] RecordingCohortOptions three_conversations();

// Names of a usual cap: 64, 32 or 19 (10-20) electrodes. Throws Error for another number.
[[nodiscard]] std::vector<std::string> electrodes(int count);

// left, right; left, centre, right; speaker-1 ... for more.
[[nodiscard]] std::vector<std::string> speaker_names(const RecordingCohortOptions& options);

// Throws Error (invalid_argument) that names the option.
void check(const RecordingCohortOptions& options);

}  // namespace heed::sim
