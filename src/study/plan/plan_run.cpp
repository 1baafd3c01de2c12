// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/cohorts/score_library.h>
#include <study/plan/plan_run.h>
#include <study/plan/planned_cohort.h>
#include <study/tracking/outcome_maker.h>

#include <mutex>

namespace heed::study {
namespace {

// Those outcomes of a share that are not in the store.
std::vector<OutcomePlace> missing_of(const Plan& plan, const ParticipantBlock& block, const ResultStore& results,
                                     PlanRunReport& report) {
  std::vector<OutcomePlace> places;
  for (std::size_t k = block.first; k < block.last; ++k) {
    const std::string& id = plan.participants()[k].id;
    const auto settings = plan.grid().settings_of(k);
    report.results += settings.size();
    if (!settings.empty()) ++report.participants;
    if (!settings.empty() && results.is_damaged(id)) ++report.damaged;
    for (const std::size_t setting : settings) {
      const OutcomePlace place{k, setting};
      if (results.contains(id, plan.key(place))) {
        ++report.done_before;
      } else {
        places.push_back(place);
      }
    }
  }
  return places;
}

// Keeps outcomes as they come, and writes a participant's file when all of them have.
class Keeper {
 public:
  Keeper(const Plan& plan, std::span<const OutcomePlace> wanted, ResultStore& results, const PlanRunOptions& options,
         PlanRunReport& report)
      : plan_(plan), all_(wanted.size()), results_(results), options_(options), report_(report) {
    for (const OutcomePlace place : wanted) ++to_come_[place.participant];
  }

  void keep(OutcomePlace place, const Outcome& outcome) {
    const std::string& id = plan_.participants()[place.participant].id;
    results_.add(id, plan_.key(place), outcome, plan_.provenance(place.participant));
    if (is_last(place.participant)) {
      results_.write(id);
    } else {
      results_.write_if_due();
    }
    const std::scoped_lock lock(guard_);
    ++report_.made;
    if (!outcome.left_out.empty()) ++report_.left_out[outcome.left_out];
    if (options_.results) options_.results(report_.made, all_);
  }

 private:
  bool is_last(std::size_t participant) {
    const std::scoped_lock lock(guard_);
    return --to_come_[participant] == 0;
  }

  const Plan& plan_;
  std::size_t all_;
  ResultStore& results_;
  const PlanRunOptions& options_;
  PlanRunReport& report_;
  std::mutex guard_;
  std::map<std::size_t, std::size_t> to_come_;  // of a participant
};

void make_outcomes(const Plan& plan, std::span<const OutcomePlace> wanted, const ScoreLibrary& scores,
                   ResultStore& results, const PlanRunOptions& run_options, PlanRunReport& report) {
  RunOptions options = plan.run_options();
  options.threads = run_options.threads;
  Keeper keeper(plan, wanted, results, run_options, report);
  try {
    OutcomeMaker(plan.study(), plan.grid(), scores, options)
        .make(wanted, [&](OutcomePlace place, const Outcome& outcome) { keeper.keep(place, outcome); });
  } catch (const Error& error) {
    // One setting's failure keeps the others; on a disk that fails there is nothing to be kept.
    if (error.kind() != ErrorKind::io && error.kind() != ErrorKind::cannot_create) results.write_all();
    throw;
  }
}

// Score files are in memory, all of them; of recordings the share's own are checked.
void check_data(const Plan& plan, const PlannedCohort& cohort, const ParticipantBlock& block) {
  if (block.first == block.last) return;
  const bool all = !cohort.decodes();
  const std::size_t last = all ? plan.participants().size() : block.last;
  for (std::size_t k = all ? 0 : block.first; k < last; ++k) cohort.check(k);
}

}  // namespace

ParticipantBlock block_of(const ArrayTask& share, const OutcomeGrid& grid) {
  const std::size_t participants = grid.participants().size();
  // A participant belongs to the share that has its first outcome, were outcomes shared out evenly.
  const auto from = [&](std::size_t shares) {
    const std::size_t outcomes = grid.size() * shares / share.count;
    std::size_t k = 0;
    while (k < participants && grid.size_of_first(k) < outcomes) ++k;
    return k;
  };
  return {from(share.number - 1), from(share.number)};
}

PlanRunReport run_plan(const PlanFolder& folder, const Cohort& cohort, const PlanRunOptions& options) {
  const Plan& plan = folder.plan();
  const PlannedCohort planned(plan, cohort);
  ResultStore results(folder.results());
  const SealedFiles scores(folder.scores());
  const ParticipantBlock block = block_of(options.share, plan.grid());
  check_data(plan, planned, block);
  PlanRunReport report;
  const std::vector<OutcomePlace> wanted = missing_of(plan, block, results, report);
  if (wanted.empty()) return report;
  const ScoreLibrary library(planned, plan.grid().settings(),
                             {.threads = options.threads,
                              .store = &scores,
                              .progress = options.decoding,
                              .begin_with = plan.participants()[wanted.front().participant].id});
  planned.rethrow_change();
  report.notes = library.notes();
  report.choices = library.choices();
  make_outcomes(plan, wanted, library, results, options, report);
  return report;
}

PlanRunReport run_plan(const Plan& plan, const ScoreLibrary& scores, ResultStore& results,
                       const PlanRunOptions& options) {
  PlanRunReport report{.notes = scores.notes()};
  const auto wanted = missing_of(plan, block_of(options.share, plan.grid()), results, report);
  make_outcomes(plan, wanted, scores, results, options, report);
  return report;
}

}  // namespace heed::study
