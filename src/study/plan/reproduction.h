// SPDX-License-Identifier: MIT
// Several studies on one cohort: their scores are made once, and a setting that several of them have is run once.
#pragma once

#include <study/cohorts/score_library.h>
#include <study/plan/plan_run.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

// Those built in or in files by their names; "all" names every one that is built in. Without names, all but those that
// run only when they are named. Throws invalid_argument where two have the same name, and as find_study_text and
// parse_study.
[[nodiscard]] std::vector<StudyText> find_study_texts(std::span<const std::string> names);
// What find_study_texts leaves out of those that are built in, in words for a reader of the results; nothing with
// names.
[[nodiscard]] Notes studies_not_named(std::span<const std::string> names);

// A plan for each; the cohort's data are read once. Throws as Plan.
[[nodiscard]] std::vector<Plan> plans_of(std::span<const StudyText> texts, const CohortName& name,
                                         const Cohort& cohort);
// Of all of them; some may be there several times.
[[nodiscard]] std::vector<Setting> settings_of(std::span<const Plan> plans);

struct Reproduction {
  std::vector<StudyResult> studies{};
  Notes notes{};  // who was left out, and what several studies have to say, once
};

// Makes what is missing in the folder of results, and gives the tables of all. Throws as run_plan.
[[nodiscard]] Reproduction reproduce(std::span<const Plan> plans, const ScoreLibrary& scores,
                                     const std::filesystem::path& results, const PlanRunOptions& options);

// The results of one more simulated cohort, made with another seed, behind those of others. Participants are then named
// sub-01_seed-2, in the first, too; reliability is pooled, and of traces the first cohort's are kept.
void append_seed(Reproduction& all, Reproduction more, std::uint64_t seed);

}  // namespace heed::study
