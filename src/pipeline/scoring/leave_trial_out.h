// SPDX-License-Identifier: MIT
// Attention of one participant before anybody else is known: the emission of a trial is fitted to the labels and scores
// of the participant's other trials. A whole group does better (CohortModels): it leaves the participant out
// altogether.
#pragma once

#include <heed/data/scored.h>
#include <heed/evaluate/switch_metric.h>
#include <heed/pipeline/model_choice.h>
#include <heed/track/method.h>

#include <span>
#include <vector>

namespace heed::pipeline {

struct TrackedByMethod {
  track::Method method = track::Method::causal;
  TrackedParticipant tracked{};
  evaluate::ParticipantMetrics metrics{};                // all trials together
  std::vector<evaluate::ParticipantMetrics> by_trial{};  // [trial]
};

// [m] by methods[m]. Throws bad_data where fewer than two trials have labels.
[[nodiscard]] std::vector<TrackedByMethod> track_leaving_trials_out(const ScoredParticipant& participant,
                                                                    const ChainChoice& chain,
                                                                    std::span<const track::Method> methods);

}  // namespace heed::pipeline
