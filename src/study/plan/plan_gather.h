// SPDX-License-Identifier: MIT
// The cells of a plan as tidy tables with a JSON beside them that says what they are (docs/formats.md), and those read
// again for a report. One cell is in memory at a time.
#pragma once

#include <data/study.h>
#include <study/cell_store.h>
#include <study/plan/plan.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::study {

struct GatherOptions {
  bool partial = false;  // whether cells may be missing
};

struct GatherReport {
  std::size_t cells = 0;
  std::size_t missing = 0;
  std::vector<std::filesystem::path> files{};  // as written
};

// TABLE.tsv, TABLE_reliability.tsv where the study measures that, and TABLE.json: all or none. Throws bad_data, with
// their number, where cells are missing; cannot_create and io.
GatherReport gather_plan(const PlanFolder& folder, const std::filesystem::path& table, const GatherOptions& options);

// The same in memory. Throws bad_data where a cell is missing.
[[nodiscard]] StudyResult result_of(const Plan& plan, const CellStore& cells);

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

}  // namespace heed::study
