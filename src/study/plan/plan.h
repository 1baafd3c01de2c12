// SPDX-License-Identifier: MIT
// A study planned on a cohort, as the file plan.json (docs/formats.md): which study, which participants, and a digest
// of their data. Its outcomes are every participant at every setting; they are not listed, but each has a key by which
// it is found and which changes with anything it depends on.
#pragma once

#include <study/cohorts/study_cohort.h>
#include <study/results/outcome.h>
#include <study/study_file.h>
#include <study/tracking/outcome_maker.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::study {

struct PlannedParticipant {
  std::string id{};  // without sub-
  int speakers = 2;  // of the part of the cohort
  std::string digest{};
  friend bool operator==(const PlannedParticipant&, const PlannedParticipant&) = default;
};

// Reads the cohort's data for their digests, nothing else. Throws bad_data for a cohort of one, and what cohorts throw.
[[nodiscard]] std::vector<PlannedParticipant> participants_of(const Cohort& cohort);

class Plan {
 public:
  // Throws what participants_of and parse_study throw.
  Plan(StudyText study, CohortName name, const Cohort& cohort);
  // With the cohort's participants, for several studies on one cohort: its data need not be read for each.
  Plan(StudyText study, CohortName name, const Cohort& cohort, std::vector<PlannedParticipant> participants);

  // plan.json. Throws bad_data for a file that is no plan, is damaged, or was made by another version of heed.
  static Plan parse(std::string_view json, const std::string& origin);
  [[nodiscard]] std::string json() const;

  [[nodiscard]] const Study& study() const noexcept { return study_; }
  [[nodiscard]] const StudyText& text() const noexcept { return text_; }
  [[nodiscard]] const OutcomeGrid& grid() const noexcept { return grid_; }
  [[nodiscard]] const CohortName& cohort_name() const noexcept { return name_; }
  [[nodiscard]] const std::string& cohort_in_words() const noexcept { return words_; }
  [[nodiscard]] bool is_simulated() const noexcept { return simulated_; }
  [[nodiscard]] const std::vector<PlannedParticipant>& participants() const noexcept { return participants_; }
  [[nodiscard]] RunOptions run_options() const;

  // A digest of all an outcome depends on: version, seed, setting, the participant's data and, since emissions are
  // learnt from the others, everybody's.
  [[nodiscard]] std::string key(OutcomePlace place) const;
  // Of a participant's results, one line: "seed 7 | sub-01 xxh3-128:..."
  [[nodiscard]] std::string provenance(std::size_t participant) const;

 private:
  Plan(StudyText text, CohortName name, std::vector<PlannedParticipant> participants);
  [[nodiscard]] std::string common_key() const;

  StudyText text_;
  Study study_;
  CohortName name_;
  std::vector<PlannedParticipant> participants_;
  OutcomeGrid grid_;
  std::vector<std::string> setting_keys_;
  std::string common_key_;
  std::string words_;
  bool simulated_ = false;
};

// A folder that holds a plan, and what comes of it.
class PlanFolder {
 public:
  // Makes the folder. Throws cannot_create where there is something already.
  PlanFolder(std::filesystem::path folder, Plan plan);
  // Throws not_found where there is no plan, and as Plan::parse.
  explicit PlanFolder(std::filesystem::path folder);

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  [[nodiscard]] std::filesystem::path results() const { return folder_ / "results"; }
  [[nodiscard]] std::filesystem::path scores() const { return folder_ / "scores"; }

 private:
  std::filesystem::path folder_;
  Plan plan_;
};

}  // namespace heed::study
