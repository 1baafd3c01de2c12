// SPDX-License-Identifier: MIT
// Rows of results by the settings they belong to, and what figures and tables show of them.
#pragma once

#include <data/study.h>
#include <report/study/plotted_values.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// The combinations of values that these columns have in the rows of `within` (all: of an empty setting), in order of
// appearance. Throws not_found for a column there is not.
[[nodiscard]] std::vector<NamedValues> distinct_settings(const ResultTable& table,
                                                         const std::vector<std::string>& columns,
                                                         const NamedValues& within = {});

// Every participant's value at a setting, their mean and middle half.
[[nodiscard]] PlottedValues plotted_values(const ResultTable& table, const NamedValues& setting,
                                           const std::string& measure);

// What was published of a measure about rows of this setting; null: nothing.
[[nodiscard]] const PublishedValue* published_at(const StudyResult& result, const ResultTable& table,
                                                 const NamedValues& setting, const std::string& measure);
[[nodiscard]] std::optional<PublishedMark> published_mark(const PublishedValue* published);

// The table, or not_found naming the study and what it has.
[[nodiscard]] const ResultTable& table_of(const StudyResult& result, const std::string& name);
// "tracking", "trace" or "lags", by what the study measures
[[nodiscard]] std::string main_table(const Study& study);
// The value of a number, nothing for words
[[nodiscard]] std::optional<double> number_in(const TableValue& value);
[[nodiscard]] NamedValues joined(NamedValues setting, const NamedValues& more);

}  // namespace heed::report
