// SPDX-License-Identifier: MIT
// What is measured becomes rows of tidy tables. docs/formats.md lists the columns.
#pragma once

#include <heed/data/study/study.h>
#include <study/tracking/group.h>

#include <string>
#include <vector>

namespace heed::study {

// The parameters, participant, p and every measure.
[[nodiscard]] ResultTable empty_tracking_table();
// A row a participant. p: nothing for trackers without a chain.
void append_rows(ResultTable& table, const Setting& setting, std::optional<double> p,
                 const std::vector<std::string>& ids, const std::vector<Measured>& measured);

[[nodiscard]] ResultTable empty_reliability_table();
// A row a bin, the windows of all participants pooled.
void append_reliability(ResultTable& table, const Setting& setting, const std::vector<Measured>& measured);

[[nodiscard]] ResultTable empty_trace_table(const std::vector<std::string>& speakers);
// A row a window of one trial.
void append_trace(ResultTable& table, const std::string& tracker, const TrackedParticipant& tracked, std::size_t trial);

}  // namespace heed::study
