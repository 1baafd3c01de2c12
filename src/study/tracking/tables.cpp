// SPDX-License-Identifier: MIT
#include <study/tracking/tables.h>

#include <array>

namespace heed::study {
namespace {

using evaluate::ParticipantMetrics;

TableValue cell(std::optional<double> value) { return value ? TableValue(*value) : TableValue(); }

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

TableValue value_of(const Setting& setting, std::string_view parameter) {
  for (const NamedValue& one : setting.named) {
    if (one.name == parameter) return one.value;
  }
  return {};
}

}  // namespace

ResultTable empty_tracking_table() {
  ResultTable table;
  for (const std::string_view parameter : parameter_names()) table.columns.emplace_back(parameter);
  table.columns.insert(table.columns.end(), {"participant", "p"});
  for (const Measure& measure : measures) table.columns.emplace_back(measure.name);
  for (const Count& count : counts) table.columns.emplace_back(count.name);
  table.columns.insert(table.columns.end(), {"brier", "ece", "log_loss"});
  return table;
}

void append_rows(ResultTable& table, const Setting& setting, std::optional<double> p,
                 const std::vector<std::string>& ids, const std::vector<Measured>& measured) {
  for (std::size_t k = 0; k < ids.size(); ++k) {
    auto& row = table.rows.emplace_back();
    for (const std::string_view parameter : parameter_names()) row.push_back(value_of(setting, parameter));
    row.emplace_back("sub-" + ids[k]);
    row.push_back(cell(p));
    for (const Measure& measure : measures) row.push_back(cell(measured[k].metrics.*measure.value));
    for (const Count& count : counts) row.emplace_back(measured[k].metrics.*count.value);
    const evaluate::Calibration& calibration = measured[k].calibration;
    row.push_back(cell(calibration.brier()));
    row.push_back(cell(calibration.expected_calibration_error()));
    row.push_back(cell(calibration.log_loss()));
  }
}

ResultTable empty_reliability_table() {
  return {.columns = {"tracker", "calibrated", "lower", "upper", "windows", "confidence", "accuracy"}, .rows = {}};
}

void append_reliability(ResultTable& table, const Setting& setting, const std::vector<Measured>& measured) {
  evaluate::Calibration pooled;
  for (const Measured& one : measured) pooled += one.calibration;
  for (const evaluate::ReliabilityBin& bin : pooled.reliability()) {
    table.rows.push_back({value_of(setting, "tracker"), value_of(setting, "calibrated"), bin.lower, bin.upper,
                          static_cast<double>(bin.count), cell(bin.confidence), cell(bin.accuracy)});
  }
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
    const Seconds window = one.posteriors.window;
    std::vector<TableValue> row{"sub-" + tracked.id,
                                name,
                                tracker,
                                (static_cast<double>(t) * window).value,
                                window.value,
                                speaker(one.attention.attended[index]),
                                speaker(one.decisions.states[index])};
    for (Index s = 0; s < one.posteriors.values.cols(); ++s) row.emplace_back(one.posteriors.values(t, s));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace heed::study
