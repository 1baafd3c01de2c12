// SPDX-License-Identifier: MIT
// Scores of one participant in, the probability that each speaker is attended out: `heed track`.
#pragma once

#include <heed/data/note.h>
#include <heed/data/scored.h>
#include <heed/hmm/viterbi.h>
#include <heed/pipeline/model_choice.h>
#include <heed/track/method.h>

#include <optional>
#include <span>

namespace heed::pipeline {

struct TrackRequest {
  ScoredParticipant participant{};
  track::Method method = track::Method::causal;
  track::MethodOptions options{};  // gain states not given: by the others, where there are any
  ChainChoice chain{};
  EmissionChoice emission{};
  std::optional<Model> model{};                 // instead of a choice of emission
  std::span<const ScoredParticipant> others{};  // to fit the emission to; empty: the participant's own scores
  Interruption interruption{};
};

struct TrackResult {
  TrackedParticipant tracked{};
  FittedModel fitted;  // of a method without emission the model says so in its origin
  // Nothing if a whole matrix was given, the method has no chain, or p is unknown: tracked.switching then tells of it.
  std::optional<double> switch_probability{};
  std::optional<int> gain_states{};  // of the Markov chain only
  Notes notes{};                     // what was chosen for the user and what is doubtful about it
};

// Each trial on its own. Errors name participant and trial. Throws as fit_model, unsupported for a method that the
// scores do not allow, and bad_data for others with other windows or scores.
[[nodiscard]] TrackResult track_attention(const TrackRequest& request);

// How probable a path of attention is under the model and chain of the result, all trials together: labels, decisions
// or any other. paths: one for each trial. Of an unknown p, all values of the bank are equally likely beforehand.
// Throws unsupported for a method without emission or chain, invalid_argument as hmm::path_probability.
[[nodiscard]] hmm::PathProbability path_probability(const TrackRequest& request, const TrackResult& result,
                                                    std::span<const AttentionTrack> paths);

}  // namespace heed::pipeline
