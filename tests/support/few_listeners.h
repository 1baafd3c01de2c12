// SPDX-License-Identifier: MIT
// Simulated listeners small enough for every day: 19 channels, sounds of 8 kHz, a switch in the middle of each trial.
#pragma once

#include <sim/recording_options.h>

namespace heed::test {

struct FewListeners {
  int participants = 2;
  int trials = 2;
  Seconds trial{40};
};

inline sim::RecordingCohortOptions few_listeners(const FewListeners& few = {}) {
  sim::RecordingCohortOptions options;
  options.participants = few.participants;
  options.trials = few.trials;
  options.trial = few.trial;
  options.interval = {0.5 * few.trial, 0.5 * few.trial};
  options.channels = sim::electrodes(19);
  options.sound_frequency = Hertz{8000};
  return options;
}

}  // namespace heed::test
