// SPDX-License-Identifier: MIT
// Emissions and models fitted to participants: to all of them, or to everybody but one.
#pragma once

#include <heed/emission/dependence.h>
#include <heed/pipeline/model_choice.h>
#include <pipeline/evidence_counting.h>

#include <cstddef>
#include <span>
#include <vector>

namespace heed::pipeline {

[[nodiscard]] bool has_labels(const ScoredParticipant& participant) noexcept;

// Fitted to all participants together. Throws bad_data where there are no labels.
[[nodiscard]] Emission fit_emission(const EmissionChoice& choice, std::span<const ScoredParticipant> participants);

// [k] is fitted to everybody but participant k. Throws bad_data for a single participant.
[[nodiscard]] std::vector<Emission> leave_one_out_emissions(const EmissionChoice& choice,
                                                            std::span<const ScoredParticipant> participants);

// The choice with what a model says in it, where one is given.
[[nodiscard]] EmissionChoice with_model(EmissionChoice choice, const std::optional<Model>& model);

// Says that a model was fitted to the very scores that are tracked, without labels.
void note_transductive(FittedModel& fitted);

// A note where the model was fitted to windows of another length or hop, or is the reference. Throws invalid_argument
// where it was fitted to steps and these are windows, or the other way round.
void note_model(const std::optional<Model>& model, const ScoredParticipant& participant, Notes& notes);

// The same participants twice: as recorded, and as they will be tracked, with artificial switches where asked for.
struct CohortViews {
  std::span<const ScoredParticipant> recorded;
  std::span<const ScoredParticipant> switching;  // may be empty where models_see_switches() does not hold
};

// Whether a model depends on how attention moves: temperatures and fits without labels do.
[[nodiscard]] bool models_see_switches(const EmissionChoice& choice) noexcept;

// The models of a cohort, one participant at a time: emission and temperature from the labels of everybody else, or,
// without labels, from all of the participant's own scores (transductive). The chain stays as it is.
class CohortModels {
 public:
  // The participants are not copied: they must outlive it. Throws bad_data for a single participant who would be left
  // out.
  CohortModels(EmissionChoice choice, const CohortViews& cohort, hmm::Chain chain);

  // The subject of its notes is the participant. May be called by several threads at once.
  [[nodiscard]] FittedModel fit(std::size_t participant, const Interruption& interruption = {}) const;

  // What was chosen for all of them.
  [[nodiscard]] const Notes& notes() const noexcept { return notes_; }

 private:
  void settle_dependence();
  void fit_dependence_without(std::size_t participant, Model& model) const;

  EmissionChoice choice_;
  CohortViews cohort_;
  hmm::Chain chain_;
  [[nodiscard]] std::optional<double> scale_without(std::size_t participant) const;

  std::vector<Emission> emissions_;  // moments add, so all are had at the price of one; none without labels
  std::vector<emission::EvidenceMoments> differences_;  // of scores; likewise
  std::vector<emission::DependenceMoments> repeats_;    // likewise
  Notes notes_;
};

}  // namespace heed::pipeline
