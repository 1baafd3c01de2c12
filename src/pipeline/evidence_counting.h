// SPDX-License-Identifier: MIT
// Whether and by how much the evidence of a fit is scaled (emission/evidence_scale.h), and what is said of it.
#pragma once

#include <heed/emission/evidence_scale.h>
#include <heed/pipeline/model_choice.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::pipeline {

// By its family, or by what is given.
[[nodiscard]] bool is_gaussian(const EmissionChoice& choice, ScoreType type);

// What each trial's windows say, and who was attended. Errors name the participant.
[[nodiscard]] emission::LabelledTrials labelled_trials(const ScoredParticipant& participant, const Emission& emission);

// Whether a fit to labels is to measure its evidence. Throws invalid_argument where it is to be scaled and calibrated.
[[nodiscard]] bool measures_evidence(const EmissionChoice& choice, ScoreType type);

[[nodiscard]] emission::EvidenceMoments evidence_of(const Emission& emission, const ScoredParticipant& participant);

// log b_attended - log b_other of one sigma is this times the difference of the scores, so that moments of differences,
// those of the unit emission, serve every such emission. Nothing for other emissions.
[[nodiscard]] std::optional<double> gain_of(const Emission& emission);
[[nodiscard]] Emission unit_emission(const Emission& emission);
[[nodiscard]] emission::EvidenceMoments times(const emission::EvidenceMoments& sums, double gain);

// Keeps the scale, and makes it the model's temperature where it is asked for, or has to be.
void count_evidence(const EmissionChoice& choice, std::optional<double> scale, FittedModel& fitted);

// Notes on what was chosen for the user in fits to the same kind of scores, once for all of them: columns that were
// taken for one score.
void note_columns(const EmissionChoice& choice, std::span<const Model> models, ScoreType type, Notes& notes);
// Scales of evidence that are far from 1, with what became of them.
struct Fits {
  std::span<const Model> models{};
  std::span<const std::optional<double>> scales{};  // of evidence, one per model
};
void note_scale(const EmissionChoice& choice, const Fits& fits, const ScoredParticipant& first, Notes& notes);

// Whether labelled windows repeat each other, which an HMM takes for news, and what is known of it.
struct Repetition {
  std::vector<std::optional<double>> lag_correlations{};  // as recorded (emission/evidence_scale.h)
  emission::Neighbours neighbours = emission::Neighbours::apart;
  bool beyond_chance = false;  // neighbours correlate beyond the threshold, and so few windows are not the reason
};
[[nodiscard]] Repetition repetition_of(const EmissionChoice& choice, std::span<const Model> models,
                                       std::span<const ScoredParticipant> participants);
// A note where they do, and the models know nothing of it.
void note_repetition(const Repetition& repetition, const EmissionChoice& choice, std::span<const Model> models,
                     bool unknown_switch_probability, Notes& notes);

}  // namespace heed::pipeline
