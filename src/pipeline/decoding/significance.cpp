// SPDX-License-Identifier: MIT
#include <heed/evaluate/chance.h>
#include <pipeline/decoding/significance.h>

namespace heed::pipeline {

Significance significance_of(const ScoredParticipant& participant) {
  const evaluate::DecisionCounts counts = evaluate::count_decisions(participant);
  Significance result;
  result.windows = static_cast<Index>(counts.windows);
  const auto chance = evaluate::Chance::make(participant.speakers.size(), result.windows);
  result.chance = chance.level();
  result.accuracy = counts.accuracy();
  result.bound = chance.bound();
  if (result.accuracy) result.p_value = chance.p_value(*result.accuracy);
  return result;
}

}  // namespace heed::pipeline
