// SPDX-License-Identifier: MIT
// Prepared runs as trials for decoders. Zero-phase signals are scaled per channel and trial to mean 0 and standard
// deviation 1; causal ones stay as they are, since a live session cannot know: their decoders bring the scales.
#pragma once

#include <heed/data/trial.h>
#include <heed/pipeline/recipe.h>
#include <pipeline/preparation/preparation.h>

#include <string>
#include <vector>

namespace heed::pipeline {

struct ParticipantTrials {
  std::string id{};
  std::vector<Trial> trials{};      // in the order of the runs
  std::vector<std::string> runs{};  // [trial] the name of its run
  heed::Notes notes{};              // of the preparation
};

// Takes the channels of the choice, all if it names none. Throws not_found naming a channel that is not there (or bad);
// bad_data where two trials hold the same EEG, for then one would be trained on what the other is tested on.
[[nodiscard]] ParticipantTrials scaled_trials(const PreparedParticipant& participant, const DecoderChoice& choice);

}  // namespace heed::pipeline
