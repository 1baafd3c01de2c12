// SPDX-License-Identifier: MIT
// Re-cutting a participant's trials before tracking: the chain and the metric restart at each.
#pragma once

#include <heed/data/scored.h>

#include <optional>
#include <vector>

namespace heed::pipeline {

struct TrialCutting {
  bool join = false;                // a participant's trials end to end, before they are cut
  std::optional<Seconds> length{};  // of the trials that are cut; nothing: as they are
  bool only_longer = false;         // only where one of the participant's trials is longer than that

  friend bool operator==(const TrialCutting&, const TrialCutting&) = default;
};
[[nodiscard]] ScoredParticipant recut(const ScoredParticipant& participant, const TrialCutting& cutting);

// All trials end to end, in order, as one. Throws bad_data if their windows differ in length.
[[nodiscard]] ScoredParticipant join_trials(const ScoredParticipant& participant);

// Trials of exactly `length`, a whole number of windows (invalid_argument otherwise); what is left
// over at the end of each trial is dropped. Throws bad_data if nothing is left.
[[nodiscard]] ScoredParticipant cut_trials(const ScoredParticipant& participant, Seconds length);

// The label of each window with the gaps filled: the last known one, before the first known one that. Throws bad_data
// for a trial without any.
[[nodiscard]] std::vector<Speaker> known_labels(const ScoredTrial& trial);

// Whether attention moves in it, as labelled.
[[nodiscard]] bool has_switch(const ScoredTrial& trial) noexcept;

[[nodiscard]] Seconds longest_trial(const ScoredParticipant& participant) noexcept;

}  // namespace heed::pipeline
