// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/study/cell_store.h>
#include <heed/study/plan/plan_run.h>
#include <study/plan/planned_cohort.h>
#include <study/tracking/cell_maker.h>

#include <mutex>

namespace heed::study {
namespace {

class PlanRun {
 public:
  PlanRun(const PlanFolder& folder, const Cohort& cohort, const PlanRunOptions& options)
      : plan_(folder.plan()),
        cohort_(plan_, cohort),
        options_(options),
        cells_(folder.cells()),
        scores_(folder.scores()),
        block_(block_of(options.shard, plan_.grid().size())) {}

  PlanRunReport run() && {
    check_data();
    (void)cells_.remove_leftovers();
    (void)scores_.remove_leftovers();
    const std::vector<CellPlace> wanted = missing();
    if (!wanted.empty()) make(wanted);
    return std::move(report_);
  }

 private:
  // Score files are in memory, all of them; of recordings each share's own.
  void check_data() const {
    if (block_.first == block_.last) return;
    const bool all = !cohort_.decodes();
    const std::size_t first = all ? 0 : plan_.grid()[block_.first].participant;
    const std::size_t last = all ? plan_.participants().size() - 1 : plan_.grid()[block_.last - 1].participant;
    for (std::size_t k = first; k <= last; ++k) cohort_.check(k);
  }

  std::vector<CellPlace> missing() {
    std::vector<CellPlace> places;
    for (std::size_t number = block_.first; number < block_.last; ++number) {
      const CellPlace place = plan_.grid()[number];
      const std::string key = plan_.key(place);
      ++report_.cells;
      if (cells_.find(key)) {
        ++report_.done_before;
        continue;
      }
      if (cells_.has_file(key)) ++report_.damaged;
      places.push_back(place);
    }
    return places;
  }

  void make(const std::vector<CellPlace>& wanted) {
    const CellGrid& grid = plan_.grid();
    const ScoreLibrary library(cohort_, grid.settings(),
                               {.threads = options_.threads,
                                .store = &scores_,
                                .progress = options_.decoding,
                                .begin_with = grid.participants()[wanted.front().participant].id});
    cohort_.rethrow_change();
    report_.notes = library.notes();
    RunOptions options = plan_.run_options();
    options.threads = options_.threads;
    std::mutex guard;
    CellMaker(plan_.study(), grid, library, options).make(wanted, [&](CellPlace place, const Cell& cell) {
      cells_.keep(plan_.key(place), tables_of(cell), plan_.provenance(place));
      const std::scoped_lock lock(guard);
      ++report_.made;
      if (!cell.left_out.empty()) ++report_.left_out[cell.left_out];
      if (options_.cells) options_.cells(report_.made, wanted.size());
    });
  }

  const Plan& plan_;
  PlannedCohort cohort_;
  const PlanRunOptions& options_;
  CellStore cells_;
  CellStore scores_;
  CellBlock block_;
  PlanRunReport report_;
};

}  // namespace

PlanRunReport run_plan(const PlanFolder& folder, const Cohort& cohort, const PlanRunOptions& options) {
  return PlanRun(folder, cohort, options).run();
}

}  // namespace heed::study
