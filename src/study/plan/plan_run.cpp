// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/cell_store.h>
#include <study/plan/plan_run.h>
#include <study/plan/planned_cohort.h>
#include <study/tracking/cell_maker.h>

#include <mutex>

namespace heed::study {
namespace {

// Those cells of a share that are not in the store.
std::vector<CellPlace> missing_of(const Plan& plan, const CellBlock& block, const CellStore& cells,
                                  PlanRunReport& report) {
  std::vector<CellPlace> places;
  for (std::size_t number = block.first; number < block.last; ++number) {
    const CellPlace place = plan.grid()[number];
    const std::string key = plan.key(place);
    ++report.cells;
    if (cells.find(key)) {
      ++report.done_before;
      continue;
    }
    if (cells.has_file(key)) ++report.damaged;
    places.push_back(place);
  }
  return places;
}

void make_cells(const Plan& plan, std::span<const CellPlace> wanted, const ScoreLibrary& scores, const CellStore& cells,
                const PlanRunOptions& how, PlanRunReport& report) {
  RunOptions options = plan.run_options();
  options.threads = how.threads;
  std::mutex guard;
  CellMaker(plan.study(), plan.grid(), scores, options).make(wanted, [&](CellPlace place, const Cell& cell) {
    cells.keep(plan.key(place), tables_of(cell), plan.provenance(place));
    const std::scoped_lock lock(guard);
    ++report.made;
    if (!cell.left_out.empty()) ++report.left_out[cell.left_out];
    if (how.cells) how.cells(report.made, wanted.size());
  });
}

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
    const std::vector<CellPlace> wanted = missing_of(plan_, block_, cells_, report_);
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

  void make(const std::vector<CellPlace>& wanted) {
    const CellGrid& grid = plan_.grid();
    const ScoreLibrary library(cohort_, grid.settings(),
                               {.threads = options_.threads,
                                .store = &scores_,
                                .progress = options_.decoding,
                                .begin_with = grid.participants()[wanted.front().participant].id});
    cohort_.rethrow_change();
    report_.notes = library.notes();
    make_cells(plan_, wanted, library, cells_, options_, report_);
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

PlanRunReport run_plan(const Plan& plan, const ScoreLibrary& scores, const CellStore& cells,
                       const PlanRunOptions& options) {
  PlanRunReport report{.notes = scores.notes()};
  const auto wanted = missing_of(plan, block_of(options.shard, plan.grid().size()), cells, report);
  make_cells(plan, wanted, scores, cells, options, report);
  return report;
}

}  // namespace heed::study
