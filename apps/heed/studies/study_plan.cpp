// SPDX-License-Identifier: MIT
// `heed study plan`: which study, on whom; nothing is computed yet.
#include <fmt/format.h>
#include <study/plan/plan.h>

#include <memory>

#include "exit_code.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

constexpr const char* study_plan_examples = R"(Examples:
  heed study plan switch_probability --on BIDS_DIR -o plan
  heed study plan mine.toml --on *_scores.tsv -o plan
  heed study plan speakers --quick -o plan                       on simulated listeners

Then: heed study run plan)";

struct PlanFlags {
  std::string study;
  study::CohortName cohort;
  std::string output;
};

std::string size_text(const study::OutcomeGrid& grid) {
  std::size_t participants = 0;
  for (std::size_t k = 0; k < grid.participants().size(); ++k) participants += grid.settings_of(k).empty() ? 0 : 1;
  return fmt::format("{} of {} at {}", count_text(grid.size(), "result"), count_text(participants, "participant"),
                     count_text(grid.settings().size(), "setting"));
}

int run_plan_verb(const PlanFlags& flags) {
  study::StudyText text = study::find_study_text(flags.study);
  (void)study::parse_study(text.toml, text.origin);  // told before recordings are read
  const auto cohort = study::open_cohort(flags.cohort, {}, flags.output);
  const study::PlanFolder folder(flags.output, study::Plan(std::move(text), study::absolute(flags.cohort), *cohort));
  tell("{}: {}, on {}\n", flags.output, size_text(folder.plan().grid()), cohort->describe());
  return exit_success;
}

}  // namespace

void add_study_plan(CLI::App& study, Chosen& chosen) {
  CLI::App* verb = study.add_subcommand("plan", "Plan a study on a cohort");
  verb->footer(study_plan_examples);
  auto flags = std::make_shared<PlanFlags>();
  verb->add_option("STUDY", flags->study, "A study from 'heed reproduce --list', or a TOML file of your own")
      ->required();
  add_cohort_flags(*verb, flags->cohort);
  verb->add_option("-o,--output", flags->output, "Folder for the plan and its results; must be new or empty")
      ->required()
      ->type_name("PLAN");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_plan_verb(*flags); }; });
}

}  // namespace heed::app
