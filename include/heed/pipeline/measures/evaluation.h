// SPDX-License-Identifier: MIT
// How well posteriors follow the attention that is known: all that `heed evaluate` and heed.evaluate say.
#pragma once

#include <heed/data/scored.h>
#include <heed/evaluate/calibration.h>
#include <heed/evaluate/participant_metrics.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

struct EvaluatedParticipant {
  std::string id{};
  std::size_t speakers = 0;
  evaluate::ParticipantMetrics metrics{};
  evaluate::Calibration calibration{};  // of no window where decisions alone are known

  // An accuracy a guesser exceeds in 5 % of such recordings.
  [[nodiscard]] std::optional<double> chance_bound() const;
};

// Trials without posteriors have decisions alone: there is nothing to calibrate then. Throws bad_data for a participant
// without a labelled window.
[[nodiscard]] EvaluatedParticipant evaluate_participant(const TrackedParticipant& participant);

using LagCorrelations = std::vector<std::optional<double>>;  // [k-1] at lag k; empty: not asked for

struct Evaluation {
  std::vector<EvaluatedParticipant> participants{};
  LagCorrelations lag_correlations{};
};

[[nodiscard]] evaluate::Summary summarise(std::span<const EvaluatedParticipant> participants,
                                          std::optional<double> evaluate::ParticipantMetrics::*measure);

}  // namespace heed::pipeline
