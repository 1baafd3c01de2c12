// SPDX-License-Identifier: MIT
// A whole study in memory, made and assembled as plans do it with files in between.
#pragma once

#include <study/tracking/assembly.h>
#include <study/tracking/outcome_maker.h>

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace heed::study {

inline OutcomeGrid grid_of(const Study& study, const Cohort& cohort) {
  std::vector<GridParticipant> participants;
  for (const int speakers : cohort.speakers()) {
    for (const std::string& id : cohort.participants(speakers)) participants.push_back({id, speakers});
  }
  return {settings_of(study), std::move(participants)};
}

inline StudyResult run_study(const Study& study, const ScoreLibrary& scores, const RunOptions& options = {}) {
  const OutcomeGrid grid = grid_of(study, scores.cohort());
  std::mutex guard;
  std::map<OutcomePlace, Outcome> outcomes;
  OutcomeMaker(study, grid, scores, options).make(grid.all(), [&](OutcomePlace place, const Outcome& outcome) {
    const std::scoped_lock lock(guard);
    outcomes[place] = outcome;
  });
  return assemble_result(study, grid, [&](OutcomePlace place) { return std::optional(outcomes.at(place)); });
}

}  // namespace heed::study
