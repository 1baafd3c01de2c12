// SPDX-License-Identifier: MIT
// A decoder for a listener of whom nobody knows whom they attended: decoder, scores, attention by forward-backward, and
// a decoder again, of every speaker as much as he was likely attended. With a population it starts from the others and
// leans on them; without one it starts from all speakers at once (docs/recipe.md, Without labels).
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <pipeline/decoding/training.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// Below it, learning without labels does not pay.
inline constexpr Seconds shortest_label_free{100};

struct LabelFreeOptions {
  Seconds window{1};
  Index passes = 3;
  double switches_per_second = 0.01;  // to each other speaker: more than attention does, as early passes err
};

struct LabelFreePass {
  GaussianEmission emission{};      // that the attention of this pass was found with
  double certainty = 0;             // mean over windows of the likeliest speaker's probability
  std::optional<double> changed{};  // share of windows decided otherwise than in the pass before
};

struct LabelFreeDecoder {
  TrainedDecoder trained{};
  std::vector<LabelFreePass> passes{};
  TrackedParticipant attention{};    // of the last pass: what the decoder was trained on; by trial
  Seconds duration{};                // of all windows that could be scored
  std::vector<std::string> notes{};  // what a user should know
};

// Labels of the trials are not looked at. `lent` must fit the trials (ListenerPrior::lend); null: no population.
// Least squares only (unsupported otherwise), with a given ridge or Ledoit-Wolf (choosing one needs labels:
// invalid_argument). Throws bad_data with one speaker, or where no window can be scored: silence, flat EEG.
[[nodiscard]] LabelFreeDecoder train_label_free(const ParticipantTrials& participant, const DecoderChoice& choice,
                                                const LabelFreeOptions& options, const LentPrior* lent = nullptr);

}  // namespace heed::pipeline
