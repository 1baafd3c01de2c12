// SPDX-License-Identifier: MIT
// From a choice of emission to models that can be used: fitted with or without labels, calibrated where asked.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/hmm/chain.h>
#include <heed/pipeline/emission_choice.h>
#include <heed/pipeline/method_choice.h>

#include <cstddef>
#include <span>
#include <vector>

namespace heed::pipeline {

struct FittedModel {
  Model model{};
  hmm::Chain chain;               // the one given, unless its switch probability was fitted
  std::vector<double> history{};  // of Baum-Welch: log-evidence (plus the log prior) by iteration, never goes down
  bool converged = true;          // Baum-Welch may not have
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

// The models of a cohort, one participant at a time: emission and temperature from the labels of everybody else, or,
// without labels, from the participant's own scores. Temperatures and fits without labels depend on how attention
// moves, so they see the switching ones. The chain stays as it is.
class CohortModels {
 public:
  // The participants are not copied: they must outlive it. Throws bad_data for a single participant who would be left
  // out.
  CohortModels(const EmissionChoice& choice, const CohortViews& cohort, hmm::Chain chain);

  // Notes say whose they are. May be called by several threads at once.
  [[nodiscard]] Model fit(std::size_t participant, Notes& notes) const;

 private:
  EmissionChoice choice_;
  CohortViews cohort_;
  hmm::Chain chain_;
  std::vector<Emission> emissions_;  // moments add, so all are had at the price of one; none without labels
};

}  // namespace heed::pipeline
