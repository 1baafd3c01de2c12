// SPDX-License-Identifier: MIT
// What is measured becomes rows of tidy tables. docs/formats.md lists the columns.
#pragma once

#include <data/study.h>
#include <pipeline/experiment.h>
#include <study/setting.h>

#include <string>
#include <vector>

namespace heed::study {

// Whose row it is. p: nothing for trackers without a chain.
struct RowHead {
  const Setting& setting;
  std::optional<double> p{};
  const std::string& id;
  std::string scored_by{};  // the decoder, or what scores are where files do not say
  bool surrogate = false;   // whether one of the speakers is made up
};

// The parameters, participant, p and every measure.
[[nodiscard]] ResultTable empty_tracking_table();
void append_row(ResultTable& table, const RowHead& head, const pipeline::TrackerOutcome& measured);

[[nodiscard]] ResultTable empty_reliability_table();
// A row a bin.
[[nodiscard]] ResultTable reliability_table(const Setting& setting, const evaluate::Calibration& calibration);
// Adds the windows of one more participant to tables of the same bins; an empty one takes them as they are.
void pool_reliability(ResultTable& pooled, const ResultTable& one);

[[nodiscard]] ResultTable empty_lags_table();
// A row per centring and lag of one participant.
[[nodiscard]] ResultTable lags_table(const Setting& setting, const ScoredParticipant& participant,
                                     const std::string& scored_by);

[[nodiscard]] ResultTable empty_trace_table(const std::vector<std::string>& speakers);
// A row per window of one trial.
void append_trace(ResultTable& table, const std::string& tracker, const TrackedParticipant& tracked, std::size_t trial);

}  // namespace heed::study
