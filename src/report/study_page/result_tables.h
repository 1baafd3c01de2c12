// SPDX-License-Identifier: MIT
// What the page says of results in tables: ours beside the published numbers, tests, and whether claims hold.
#pragma once

#include <data/study.h>
#include <report/page.h>

#include <vector>

namespace heed::report {

// Every published value marked as headline, of all studies that were run.
[[nodiscard]] Table headline_table(const std::vector<StudyResult>& studies);

// A row a setting: mean and standard deviation, middle half, participants, published, difference.
[[nodiscard]] Table setting_table(const StudyResult& result);

// Wilcoxon's signed-rank test for every claim that compares two settings; without rows where there is none.
[[nodiscard]] Table test_table(const StudyResult& result);

[[nodiscard]] Verdicts verdicts_of(const StudyResult& result);

}  // namespace heed::report
