// SPDX-License-Identifier: MIT
// A small study planned on made-up scores, in a folder of its own.
#pragma once

#include <study/plan/plan.h>
#include <study/plan/plan_run.h>

#include <string>
#include <utility>

#include "support/io_temporary_folder.h"
#include "support/scored_cohort.h"

namespace heed::test {

inline const std::string sweep_toml = R"(title = "p"
[figure]
picture = "sweep"
along = "switch_probability"
[[grid]]
tracker = ["causal", "smooth"]
switch_probability = [0.001, 0.01, 0.1]
)";

inline study::Plan plan_of(const std::string& toml, const study::Cohort& cohort, study::CohortName name = {}) {
  return {{"mine.toml", toml}, std::move(name), cohort};
}

// 4 participants, 6 settings.
struct PlannedStudy {
  explicit PlannedStudy(const std::string& toml = sweep_toml)
      : folder(temporary.path() / "plan", plan_of(toml, cohort)) {}

  study::PlanRunReport run(study::ArrayTask share = {}) const {
    return study::run_plan(folder, cohort, {.share = share});
  }

  TemporaryFolder temporary;
  ScoredCohort cohort{{.trial = {120}, .trials = 1, .interval = {{40}, {40}}}};
  study::PlanFolder folder;
};

}  // namespace heed::test
