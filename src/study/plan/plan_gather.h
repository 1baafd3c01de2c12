// SPDX-License-Identifier: MIT
// The outcomes of a plan as tidy tables with a JSON beside them that says what they are (docs/formats.md), and those
// read again for a report.
#pragma once

#include <data/study.h>
#include <study/plan/plan.h>
#include <study/results/participant_results.h>
#include <study/tracking/assembly.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::study {

struct GatherOptions {
  bool partial = false;  // whether results may be missing
};

struct GatherReport {
  std::size_t results = 0;
  std::size_t missing = 0;
  std::vector<std::filesystem::path> files{};  // as written
};

// TABLE.tsv, TABLE_reliability.tsv where the study measures that, and TABLE.json: all or none. Throws bad_data, with
// their number, where results are missing; cannot_create and io.
GatherReport gather_plan(const PlanFolder& folder, const std::filesystem::path& table, const GatherOptions& options);

// The same in memory. Throws bad_data where a result is missing.
[[nodiscard]] StudyResult result_of(const Plan& plan, const ResultStore& results);

// What was gathered, and from what.
struct GatheredStudy {
  StudyResult result{};
  std::string version{};
  std::string cohort{};
  bool simulated = false;
  std::uint64_t seed = 1;
  bool quick = false;
  std::vector<PlannedParticipant> participants{};
  std::size_t missing = 0;
};

// Throws not_found and bad_data, naming the file.
[[nodiscard]] GatheredStudy read_gathered(const std::filesystem::path& table);

// The JSON beside the tables. What it says of them; they are still to be read.
struct GatheredSidecar {
  GatheredStudy gathered{};
  std::vector<LeftOut> left_out{};
  std::vector<std::string> tables{};
};
[[nodiscard]] std::string gathered_json(const Plan& plan, const Assembled& assembled,
                                        const std::vector<std::string>& tables);
// Throws bad_data.
[[nodiscard]] GatheredSidecar parse_gathered(std::string_view json, const std::string& origin);

}  // namespace heed::study
