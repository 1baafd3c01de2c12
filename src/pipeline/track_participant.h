// SPDX-License-Identifier: MIT
// The offline wiring of one participant: scores -> log-likelihoods -> tracker -> posteriors and decisions.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/emission/adaptive.h>
#include <heed/track/method.h>

#include <span>
#include <vector>

namespace heed::pipeline {

// Each trial on its own, but for what trials say of an unknown switch probability. Errors name participant and trial.
// Throws bad_data for features other than the model's.
[[nodiscard]] TrackedParticipant track_participant(const ScoredParticipant& participant, const Model& model,
                                                   const track::AnyTracker& tracker);

// In two steps, for many methods on the same scores: what each trial's windows say, then a method on it.
[[nodiscard]] std::vector<LogLikelihoods> log_likelihoods_of(const ScoredParticipant& participant, const Model& model);
// The same while the model's parameters adapt to the windows heard so far, with the posteriors of the chain.
[[nodiscard]] std::vector<LogLikelihoods> adapted_log_likelihoods_of(const ScoredParticipant& participant,
                                                                     const Model& start, const hmm::Chain& chain,
                                                                     const emission::AdaptiveOptions& options);
[[nodiscard]] std::vector<LogLikelihoods> adapted_log_likelihoods_of(const ScoredParticipant& participant,
                                                                     const Model& start, const hmm::Bank& bank,
                                                                     const emission::AdaptiveOptions& options);
[[nodiscard]] TrackedParticipant track_participant(const ScoredParticipant& participant,
                                                   std::span<const LogLikelihoods> log_likelihoods,
                                                   const track::AnyTracker& tracker);

// With an emission as it is: temperature 1.
[[nodiscard]] TrackedParticipant track_participant(const ScoredParticipant& participant, const Emission& emission,
                                                   const track::AnyTracker& tracker);

}  // namespace heed::pipeline
