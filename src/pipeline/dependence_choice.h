// SPDX-License-Identifier: MIT
// Whether a fit is to know that scores repeat each other (emission/dependence.h): what was asked for, what the scores
// allow, and what is chosen where nobody said.
#pragma once

#include <heed/emission/dependence.h>
#include <heed/pipeline/model_choice.h>

#include <span>
#include <vector>

namespace heed::pipeline {

// [k] of participant k, none for features. Errors name the participant.
[[nodiscard]] std::vector<emission::DependenceMoments> dependence_moments_of(
    const EmissionChoice& choice, std::span<const ScoredParticipant> participants);

// What `automatic` comes to, with a note that says why; any other choice as it is. It stays `automatic` for a fit
// without labels, which decides by what it finds. Throws unsupported for a dependence that the choice or the scores do
// not allow. `trials`: as many labelled ones as every fit is sure to have.
[[nodiscard]] DependenceChoice settled_dependence(const EmissionChoice& choice,
                                                  std::span<const ScoredParticipant> participants, double trials,
                                                  Notes& notes);

// Fits what was settled to labels: an offset changes sigma, too.
void fit_dependence(DependenceChoice choice, const emission::DependenceMoments& sums, Index speakers, Model& model);

// The same without labels, from the emission of a fit that took windows for independent. `automatic` keeps it only
// where neighbours repeat each other.
void fit_dependence_without_labels(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                                   const Interruption& interruption, FittedModel& fitted);

// Refuses the dependence of a model that is given where it cannot be meant: for overlapping windows, or beside a
// temperature.
void check_dependence(const EmissionChoice& choice, const Model& model, const ScoredParticipant& participant);

}  // namespace heed::pipeline
