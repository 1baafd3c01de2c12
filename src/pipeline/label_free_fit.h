// SPDX-License-Identifier: MIT
// Models learnt from scores alone: by Baum-Welch, of Gaussians, mixtures and scores that repeat each other, or from
// windows taken one by one.
#pragma once

#include <heed/emission/label_free.h>
#include <heed/pipeline/model_choice.h>

#include <span>
#include <string>
#include <utility>

namespace heed::pipeline {

// Steps exceed the bounds of correlations, and their means and spreads are their own.
[[nodiscard]] inline bool is_of_steps(const ScoredParticipant& participant) noexcept {
  return participant.type == ScoreType::step_cosine;
}

// A model for scores like the participant's.
[[nodiscard]] inline Model model_for(const ScoredParticipant& participant, Emission emission, std::size_t participants,
                                     std::string origin) {
  return {.emission = std::move(emission),
          .window = participant.window(),
          .hop = participant.hop(),
          .steps = is_of_steps(participant),
          .participants = participants,
          .origin = std::move(origin)};
}

// By its family, or by what is given.
[[nodiscard]] bool is_mixture(const EmissionChoice& choice, ScoreType type);

// Where scores do not tell the speakers apart, the model decides nothing and a note says so. Throws invalid_argument
// for what needs labels.
[[nodiscard]] FittedModel fit_without_labels(const EmissionChoice& choice,
                                             std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                             const Interruption& interruption);

}  // namespace heed::pipeline
