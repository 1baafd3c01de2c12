// SPDX-License-Identifier: MIT
// From a choice of emission to models that can be used: fitted with or without labels, calibrated where asked.
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/model.h>
#include <heed/hmm/chain.h>
#include <heed/pipeline/emission_choice.h>
#include <heed/pipeline/method_choice.h>

#include <span>
#include <vector>

namespace heed::pipeline {

struct FittedModel {
  Model model{};
  hmm::Chain chain;  // the one given, unless its switch probability was fitted
};

// To these participants, taken together. Notes say where a fit without labels found nothing or did not settle, and
// where a temperature lies at the end of its range. Throws bad_data without labels where they are needed,
// unsupported and invalid_argument for fits that do not go with the family or the number of speakers.
[[nodiscard]] FittedModel fit_model(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                                    const hmm::Chain& chain, Notes& notes);

// The same participants twice: as recorded, and as they will be tracked, with artificial switches where asked for.
struct CohortViews {
  std::span<const ScoredParticipant> recorded;
  std::span<const ScoredParticipant> switching;
};

// [k] is for participant k: emission and temperature from the labels of everybody else, or, without labels, from the
// participant's own scores. Temperatures and fits without labels depend on how attention moves, so they see the
// switching ones. The chain stays as it is. Throws bad_data for a single participant who would be left out.
[[nodiscard]] std::vector<Model> models_for(const EmissionChoice& choice, const CohortViews& cohort,
                                            const hmm::Chain& chain, Notes& notes);

}  // namespace heed::pipeline
