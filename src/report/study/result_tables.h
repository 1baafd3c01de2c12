// SPDX-License-Identifier: MIT
// Rows of results by the settings they belong to, and what the page shows of them in tables: our numbers beside the
// published ones, tests, and whether claims hold.
#pragma once

#include <data/study.h>
#include <evaluate/claims.h>
#include <report/page/page.h>
#include <report/study/figures.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::report {

// The combinations of values that these columns have in the rows of `within` (all: of an empty setting), in order of
// appearance. Throws not_found for a column that does not exist.
[[nodiscard]] std::vector<NamedValues> distinct_settings(const ResultTable& table,
                                                         const std::vector<std::string>& columns,
                                                         const NamedValues& within = {});

// Every participant's value at a setting, their mean and interquartile range.
[[nodiscard]] PlottedValues plotted_values(const ResultTable& table, const NamedValues& setting,
                                           const std::string& measure);

// What was published of a measure about rows of this setting, for the decoder of their scores or, of values that stand
// beside any, for another; null: nothing.
[[nodiscard]] const PublishedValue* published_at(const StudyResult& result, const ResultTable& table,
                                                 const NamedValues& setting, const std::string& measure);
// "Table II (CCA)"
[[nodiscard]] std::string published_place(const PublishedValue& published);
[[nodiscard]] std::optional<PublishedMark> published_mark(const PublishedValue* published);

// The table, or not_found naming the study and what it has.
[[nodiscard]] const ResultTable& table_of(const StudyResult& result, const std::string& name);
// "tracking", "trace" or "lags", by what the study measures
[[nodiscard]] std::string main_table(const Study& study);
// The value of a number, nothing for words
[[nodiscard]] std::optional<double> number_in(const TableValue& value);
[[nodiscard]] NamedValues joined(NamedValues setting, const NamedValues& more);

// Every published value marked as headline, of all studies that were run.
[[nodiscard]] Table headline_table(const std::vector<StudyResult>& studies);

// One row per setting: participants, mean and standard deviation, interquartile range, published value, difference.
[[nodiscard]] Table setting_table(const StudyResult& result);

// Wilcoxon's test for every claim that compares two settings; without rows where there is none.
[[nodiscard]] Table test_table(const StudyResult& result);

// Of a study of frontiers: one row per series.
[[nodiscard]] Table frontier_table(const StudyResult& result);

// The verdict, each number in its evidence beside the name of its setting.
[[nodiscard]] evaluate::ClaimVerdict verdict_of(const Claim& claim, const StudyResult& result);

// All claims, with what `others` among the cohorts of reference say of them; those of a study that could not be run
// cannot be told, for the obstacle.
[[nodiscard]] Verdicts verdicts_of(const StudyResult& result, std::span<const std::string> others);

}  // namespace heed::report
