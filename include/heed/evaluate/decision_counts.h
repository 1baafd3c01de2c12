// SPDX-License-Identifier: MIT
// How often the scores alone point to the attended speaker: a point of the performance curve, and what the
// Markov-chain gain control is laid out by. Counts of participants add and subtract, so leaving one out is exact.
#pragma once

#include <heed/data/cohort.h>

#include <optional>

namespace heed::evaluate {

// Over the windows that have a label and all scores. Whole numbers.
struct DecisionCounts {
  double windows = 0;
  double correct = 0;  // the attended speaker's score is larger than all others
  double pairs = 0;    // (window, competitor)
  double won = 0;      // the attended speaker's score is larger than this competitor's

  DecisionCounts& operator+=(const DecisionCounts& other) noexcept;
  DecisionCounts& operator-=(const DecisionCounts& other) noexcept;

  // Nothing without a window. Equal for two speakers.
  [[nodiscard]] std::optional<double> accuracy() const noexcept;
  [[nodiscard]] std::optional<double> pairwise_accuracy() const noexcept;
};

// Features are no scores of speakers: of a participant with features nothing is counted.
[[nodiscard]] DecisionCounts count_decisions(const ScoredParticipant& participant);

}  // namespace heed::evaluate
