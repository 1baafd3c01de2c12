// SPDX-License-Identifier: MIT
#include <heed/study/run_study.h>
#include <study/tracking/assembly.h>
#include <study/tracking/cell_maker.h>

#include <algorithm>
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
  StudyResult result{.study = study};
  Assembled assembled = assemble(
      study, grid, [&](CellPlace place) { return std::optional(cells.at(place)); },
      [&](const std::string& name, const ResultTable& rows) {
        const auto known = std::ranges::find(result.tables, name, &NamedTable::name);
        if (known == result.tables.end()) {
          result.tables.push_back({name, rows});
        } else {
          known->table.rows.insert(known->table.rows.end(), rows.rows.begin(), rows.rows.end());
        }
      });
  result.notes = std::move(assembled.notes);
  judge_applicability(result, grid.settings(), assembled.left_out);
  return result;
}

StudyResult run_study(const Study& study, const ScoreLibrary& scores, const RunOptions& options,
                      const StudyShelf& shelf) {
  if (auto kept = shelf.store.find(shelf.key)) {
    Cell cell = cell_of(std::move(*kept));
    return {.study = study,
            .tables = std::move(cell.tables),
            .notes = std::move(cell.notes),
            .obstacle = std::move(cell.left_out)};
  }
  StudyResult result = run_study(study, scores, options);
  const Cell cell{.tables = result.tables, .notes = result.notes, .left_out = result.obstacle};
  shelf.store.keep(shelf.key, tables_of(cell), shelf.made_from);
  return result;
}

}  // namespace heed::study
