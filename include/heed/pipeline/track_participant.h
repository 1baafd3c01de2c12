// SPDX-License-Identifier: MIT
// The offline wiring of one participant: scores -> log-likelihoods -> tracker -> posteriors and decisions.
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/model.h>
#include <heed/track/method.h>

namespace heed::pipeline {

// Each trial on its own. Errors name participant and trial. Throws bad_data for features other than the model's.
[[nodiscard]] TrackedParticipant track_participant(const ScoredParticipant& participant, const Model& model,
                                                   const track::AnyTracker& tracker);

// With an emission as it is: temperature 1.
[[nodiscard]] TrackedParticipant track_participant(const ScoredParticipant& participant, const Emission& emission,
                                                   const track::AnyTracker& tracker);

}  // namespace heed::pipeline
