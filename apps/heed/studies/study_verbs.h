// SPDX-License-Identifier: MIT
// The verbs below `heed study`, and what verbs about studies share.
#pragma once

#include <report/study/study_report.h>
#include <study/plan/plan.h>
#include <study/plan/report_folder.h>

#include <vector>

#include "verbs.h"

namespace heed::app {

void add_study_plan(CLI::App& study, Chosen& chosen);
void add_study_run(CLI::App& study, Chosen& chosen);
void add_study_status(CLI::App& study, Chosen& chosen);
void add_study_gather(CLI::App& study, Chosen& chosen);
void add_study_slurm(CLI::App& study, Chosen& chosen);

// The cohort, as `--on`, `--participants`, `--quick` and `--seed` name it.
void add_cohort_flags(CLI::App& verb, study::CohortName& name);

// Participants with the digests of their data, and with their speakers where the cohort has parts.
[[nodiscard]] std::vector<report::DataDigest> digests_of(const std::vector<study::PlannedParticipant>& participants);

// report.html, every figure and every table.
void write_pages(study::ReportFolder& folder, const report::StudyReport& report);

}  // namespace heed::app
