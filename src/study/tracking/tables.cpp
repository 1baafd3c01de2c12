// SPDX-License-Identifier: MIT
#include <heed/emission/evidence_scale.h>
#include <study/cohorts/single_listener.h>
#include <study/setting_lookup.h>
#include <study/tracking/tables.h>

#include <algorithm>
#include <array>

namespace heed::study {
namespace {

using evaluate::ParticipantMetrics;

TableValue value_or_nothing(std::optional<double> value) { return value ? TableValue(*value) : TableValue(); }

struct Measure {
  const char* name;
  std::optional<double> ParticipantMetrics::*value;
};

constexpr std::array measures{
    Measure{"accuracy", &ParticipantMetrics::accuracy},
    Measure{"whole_accuracy", &ParticipantMetrics::whole_accuracy},
    Measure{"switch_time", &ParticipantMetrics::switch_time},
    Measure{"median_switch_time", &ParticipantMetrics::median_switch_time},
    Measure{"signed_switch_time", &ParticipantMetrics::signed_switch_time},
    Measure{"first_hit_time", &ParticipantMetrics::first_hit_time},
    Measure{"decided_time", &ParticipantMetrics::decided_time},
    Measure{"latency_inclusive_time", &ParticipantMetrics::latency_inclusive_time},
    Measure{"miss_rate", &ParticipantMetrics::miss_rate},
    Measure{"false_switch_rate", &ParticipantMetrics::false_switch_rate},
};

struct Count {
  const char* name;
  double ParticipantMetrics::*value;
};

constexpr std::array counts{
    Count{"windows", &ParticipantMetrics::windows},
    Count{"steady_windows", &ParticipantMetrics::steady_windows},
    Count{"switches", &ParticipantMetrics::switches},
    Count{"missed", &ParticipantMetrics::missed},
};

struct GainMeasure {
  const char* name;
  std::optional<double> (evaluate::GainWorth::*value)() const noexcept;
};

constexpr std::array gain_measures{
    GainMeasure{"benefit", &evaluate::GainWorth::benefit},
    GainMeasure{"wrong_emphasis", &evaluate::GainWorth::wrong_emphasis},
    GainMeasure{"travel", &evaluate::GainWorth::travel},
    GainMeasure{"wrong_share", &evaluate::GainWorth::wrong_share},
};

double number_in(const TableValue& value) { return data::number_in(value).value_or(0); }

}  // namespace

ResultTable empty_tracking_table() {
  ResultTable table;
  for (const std::string_view parameter : parameter_names()) table.columns.emplace_back(parameter);
  table.columns.insert(table.columns.end(), {"participant", "scored_by", "p"});
  for (const Measure& measure : measures) table.columns.emplace_back(measure.name);
  for (const Count& count : counts) table.columns.emplace_back(count.name);
  table.columns.insert(table.columns.end(), {"brier", "ece", "log_loss"});
  for (const GainMeasure& measure : gain_measures) table.columns.emplace_back(measure.name);
  return table;
}

void append_row(ResultTable& table, const RowHead& head, const pipeline::TrackerOutcome& measured) {
  auto& row = table.rows.emplace_back();
  for (const std::string_view parameter : parameter_names()) {
    TableValue value = value_of(head.setting, parameter);
    // A speaker that is made up is no third conversation.
    if (head.surrogate && parameter == "speakers") value = data::text_of(value) + "-surrogate";
    row.push_back(std::move(value));
  }
  row.emplace_back("sub-" + listener_of(head.id));
  row.emplace_back(head.scored_by);
  row.push_back(value_or_nothing(head.p));
  for (const Measure& measure : measures) row.push_back(value_or_nothing(measured.metrics.*measure.value));
  for (const Count& count : counts) row.emplace_back(measured.metrics.*count.value);
  row.push_back(value_or_nothing(measured.calibration.brier()));
  row.push_back(value_or_nothing(measured.calibration.expected_calibration_error()));
  row.push_back(value_or_nothing(measured.calibration.log_loss()));
  for (const GainMeasure& measure : gain_measures) row.push_back(value_or_nothing((measured.gains.*measure.value)()));
}

ResultTable empty_reliability_table() {
  return {.columns = {"tracker", "calibrated", "lower", "upper", "windows", "confidence", "accuracy"}, .rows = {}};
}

ResultTable reliability_table(const Setting& setting, const evaluate::Calibration& calibration) {
  ResultTable table = empty_reliability_table();
  for (const evaluate::ReliabilityBin& bin : calibration.reliability()) {
    table.rows.push_back({value_of(setting, "tracker"), value_of(setting, "calibrated"), bin.lower, bin.upper,
                          static_cast<double>(bin.count), value_or_nothing(bin.confidence),
                          value_or_nothing(bin.accuracy)});
  }
  return table;
}

void pool_reliability(ResultTable& pooled, const ResultTable& one) {
  if (pooled.rows.empty()) {
    pooled = one;
    return;
  }
  const std::size_t windows = pooled.column("windows");
  for (std::size_t bin = 0; bin < std::min(pooled.rows.size(), one.rows.size()); ++bin) {
    auto& row = pooled.rows[bin];
    const double before = number_in(row[windows]);
    const double more = number_in(one.rows[bin][one.column("windows")]);
    if (more == 0) continue;
    for (const std::string_view mean : {"confidence", "accuracy"}) {
      const std::size_t column = pooled.column(mean);
      const double sum = (before * number_in(row[column])) + (more * number_in(one.rows[bin][one.column(mean)]));
      row[column] = sum / (before + more);
    }
    row[windows] = before + more;
  }
}

ResultTable empty_lags_table() {
  return {.columns = {"decoder", "centring", "participant", "scored_by", "lag", "correlation"}, .rows = {}};
}

ResultTable lags_table(const Setting& setting, const ScoredParticipant& participant, const std::string& scored_by) {
  const bool fisher = participant.type == ScoreType::correlation;
  ResultTable table = empty_lags_table();
  for (const auto& [word, centring] : centrings) {
    const auto correlations = emission::lag_correlations(
        participant, {.fisher = fisher, .lags = longest_correlation_lag, .centring = centring});
    for (std::size_t k = 0; k < correlations.size(); ++k) {
      table.rows.push_back({value_of(setting, "decoder"), std::string(word), "sub-" + listener_of(participant.id),
                            scored_by, static_cast<double>(k + 1), value_or_nothing(correlations[k])});
    }
  }
  return table;
}

ResultTable empty_trace_table(const std::vector<std::string>& speakers) {
  ResultTable table{.columns = {"participant", "trial", "tracker", "onset", "duration", "attended", "decision"},
                    .rows = {}};
  table.columns.insert(table.columns.end(), speakers.begin(), speakers.end());
  return table;
}

void append_trace(ResultTable& table, const std::string& tracker, const TrackedParticipant& tracked,
                  std::size_t trial) {
  const TrackedTrial& one = tracked.trials[trial];
  const auto speaker = [&](Speaker s) {
    return s == unknown_speaker ? TableValue() : TableValue(tracked.speakers[static_cast<std::size_t>(s)]);
  };
  const std::string name = one.name.empty() ? std::to_string(trial + 1) : one.name;
  for (Index t = 0; t < one.posteriors.values.rows(); ++t) {
    const auto index = static_cast<std::size_t>(t);
    std::vector<TableValue> row{"sub-" + listener_of(tracked.id),
                                name,
                                tracker,
                                (static_cast<double>(t) * one.posteriors.hop).value,
                                one.posteriors.window.value,
                                speaker(one.attention.attended[index]),
                                speaker(one.decisions.states[index])};
    for (Index s = 0; s < one.posteriors.values.cols(); ++s) row.emplace_back(one.posteriors.values(t, s));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace heed::study
