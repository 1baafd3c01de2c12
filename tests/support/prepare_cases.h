// SPDX-License-Identifier: MIT
// What the tests of preparing signals begin with: an amplifier, a recording of it, and how it is prepared.
#pragma once

#include <dsp/prepare.h>

#include <string>
#include <vector>

#include "support/dsp_matrices.h"

namespace heed::test {

inline dsp::EegSource eeg_source(Index channels, double rate = 512) {
  dsp::EegSource result{.sampling_frequency = {rate}};
  const std::vector<std::string> names = {"Fz", "Cz", "Pz", "C3", "C4", "Oz", "F3", "F4"};
  result.channels.assign(names.begin(), names.begin() + channels);
  return result;
}

// Offsets as BioSemi has them.
inline SampleMatrix eeg_recording(Index samples, Index channels) {
  Matrix values = 20 * noise(samples, channels, 4);
  for (Index c = 0; c < channels; ++c) values.col(c).array() += 10000 * (static_cast<double>(c) - 2);
  return values.cast<float>();
}

inline Preprocessing causal_preprocessing() { return {.filters = FilterMode::causal}; }

inline const std::vector<SpeechTarget> both_targets{SpeechTarget::envelope, SpeechTarget::onset};

}  // namespace heed::test
