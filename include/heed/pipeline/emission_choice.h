// SPDX-License-Identifier: MIT
// How a user says what scores mean, and the emissions that come of it: given, or fitted to the labels
// of other participants.
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/model.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::pipeline {

enum class EmissionFamily { fisher_gaussian, gaussian, log_likelihood, softmax };

struct EmissionChoice {
  std::optional<EmissionFamily> family{};  // nothing: by the type of the scores
  Spread spread = Spread::shared;
  std::vector<double> class_priors{};  // softmax only; empty: uniform
  std::optional<Emission> given{};     // by hand or from a model file: nothing is fitted
};

[[nodiscard]] EmissionFamily family_of(const EmissionChoice& choice, ScoreType type) noexcept;

// The emission that needs no labels, if the choice is one.
[[nodiscard]] std::optional<Emission> label_free(const EmissionChoice& choice, ScoreType type);

// Fitted to all participants together. Throws bad_data where there are no labels.
[[nodiscard]] Emission fit_emission(const EmissionChoice& choice, std::span<const ScoredParticipant> participants);

// [k] is fitted to everybody but participant k. Throws bad_data for a single participant.
[[nodiscard]] std::vector<Emission> leave_one_out_emissions(const EmissionChoice& choice,
                                                            std::span<const ScoredParticipant> participants);

}  // namespace heed::pipeline
