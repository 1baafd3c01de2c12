// SPDX-License-Identifier: MIT
#include <study/run_study.h>
#include <study/tracking/assembly.h>
#include <study/tracking/cell_maker.h>

#include <map>
#include <mutex>

namespace heed::study {
namespace {

CellGrid grid_of(const Study& study, const Cohort& cohort) {
  std::vector<GridParticipant> participants;
  for (const int speakers : cohort.speakers()) {
    for (const std::string& id : cohort.participants(speakers)) participants.push_back({id, speakers});
  }
  return {settings_of(study), std::move(participants)};
}

}  // namespace

StudyResult run_study(const Study& study, const ScoreLibrary& scores, const RunOptions& options) {
  const CellGrid grid = grid_of(study, scores.cohort());
  std::vector<CellPlace> places;
  for (std::size_t number = 0; number < grid.size(); ++number) places.push_back(grid[number]);
  std::mutex guard;
  std::map<CellPlace, Cell> cells;
  CellMaker(study, grid, scores, options).make(places, [&](CellPlace place, const Cell& cell) {
    const std::scoped_lock lock(guard);
    cells[place] = cell;
  });
  return assemble_result(study, grid, [&](CellPlace place) { return std::optional(cells.at(place)); });
}

}  // namespace heed::study
