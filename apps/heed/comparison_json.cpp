// SPDX-License-Identifier: MIT
#include "comparison_json.h"

#include "json_value.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;
using pipeline::Comparison;
using pipeline::MethodResult;

ordered_json uncalibrated_json(const std::optional<pipeline::CalibrationErrors>& errors) {
  if (!errors) return nullptr;
  return {{"brier", json_value(errors->brier)}, {"ece", json_value(errors->expected)}};
}

ordered_json participant_json(const pipeline::ParticipantResult& participant) {
  const auto& m = participant.metrics;
  return {{"id", participant.id},
          {"accuracy", json_value(m.accuracy)},
          {"switch_time", json_value(m.switch_time)},
          {"median_switch_time", json_value(m.median_switch_time)},
          {"signed_switch_time", json_value(m.signed_switch_time)},
          {"first_hit_time", json_value(m.first_hit_time)},
          {"latency_inclusive_time", json_value(m.latency_inclusive_time)},
          {"missed", json_count(m.missed)},
          {"switches", json_count(m.switches)},
          {"false_switch_rate", json_value(m.false_switch_rate)},
          {"whole_accuracy", json_value(m.whole_accuracy)},
          {"windows", json_count(m.windows)},
          {"chance_bound", json_value(participant.chance_bound)},
          {"brier", json_value(participant.calibration.brier)},
          {"ece", json_value(participant.calibration.expected)},
          {"uncalibrated", uncalibrated_json(participant.uncalibrated)},
          {"gain_states", json_value(participant.gain_states)}};
}

ordered_json p_json(const std::optional<evaluate::Wilcoxon>& test) {
  return json_value(test ? std::optional(test->p) : std::nullopt);
}

ordered_json method_json(const MethodResult& method) {
  ordered_json participants = ordered_json::array();
  for (const auto& participant : method.participants) participants.push_back(participant_json(participant));
  return {
      {"name", track::name(method.method)},
      {"accuracy", {{"mean", json_value(method.accuracy.mean)}, {"sd", json_value(method.accuracy.sd)}}},
      {"switch_time",
       {{"mean", json_value(method.switch_time.mean)},
        {"sd", json_value(method.switch_time.sd)},
        {"missed", json_count(method.missed)}}},
      {"brier", json_value(method.calibration.brier)},
      {"ece", json_value(method.calibration.expected)},
      {"uncalibrated", uncalibrated_json(method.uncalibrated)},
      {"participants", participants},
      {"wilcoxon", {{"accuracy_p", p_json(method.accuracy_test)}, {"switch_time_p", p_json(method.switch_time_test)}}}};
}

}  // namespace

ordered_json comparison_json(const Comparison& comparison) {
  ordered_json json{{"methods", ordered_json::array()},        {"chance", comparison.chance},
                    {"speakers", comparison.speakers},         {"window", comparison.window.value},
                    {"temperatures", comparison.temperatures}, {"lag_correlations", ordered_json::array()}};
  for (const auto& correlation : comparison.lag_correlations) {
    json["lag_correlations"].push_back(json_value(correlation));
  }
  for (const MethodResult& method : comparison.methods) json["methods"].push_back(method_json(method));
  return json;
}

}  // namespace heed::app
