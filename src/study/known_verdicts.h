// SPDX-License-Identifier: MIT
// What cohorts that everybody can look up say of the claims of the built-in studies: studies/verdicts.tsv, written by
// studies/write_verdicts.py. A report sets them beside its own, so that one cohort is not taken for the world.
#pragma once

#include <data/study.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::study {

// The lines of the file, put into the library when it is built (cmake/HeedStudies.cmake).
[[nodiscard]] std::span<const std::string_view> verdict_lines() noexcept;

// One row of it.
struct VerdictRow {
  std::string study{};
  std::string claim{};  // its text
  KnownVerdict verdict{};
};
// Throws bad_data with the line for a table that is not as docs/formats.md says.
[[nodiscard]] std::vector<VerdictRow> parse_verdicts(std::span<const std::string_view> lines);

// In the order of the file; empty for claims that it does not hold.
[[nodiscard]] std::vector<KnownVerdict> known_verdicts(std::string_view study, std::string_view claim);

}  // namespace heed::study
