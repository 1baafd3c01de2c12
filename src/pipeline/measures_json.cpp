// SPDX-License-Identifier: MIT
#include <heed/pipeline/compare.h>
#include <heed/pipeline/evaluate.h>
#include <pipeline/unknown_switching.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace heed::pipeline {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json numbers(const std::vector<std::optional<double>>& values) {
  Json array = Json::array();
  for (const auto& value : values) array.push_back(number(value));
  return array;
}

// Counts are averages where draws were repeated; those that are whole are written so.
Json count(double value) {
  const bool whole = std::abs(value) < 1e15 && std::nearbyint(value) == value;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json summary(const evaluate::Summary& values) { return {{"mean", number(values.mean)}, {"sd", number(values.sd)}}; }

std::string text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json uncalibrated(const std::optional<CalibrationErrors>& errors) {
  if (!errors) return nullptr;
  return {{"brier", number(errors->brier)}, {"ece", number(errors->expected)}};
}

// What evaluations and comparisons tell of every participant, in this order.
Json measures_of(const std::string& id, const evaluate::ParticipantMetrics& m) {
  return {{"id", id},
          {"accuracy", number(m.accuracy)},
          {"switch_time", number(m.switch_time)},
          {"median_switch_time", number(m.median_switch_time)},
          {"signed_switch_time", number(m.signed_switch_time)},
          {"first_hit_time", number(m.first_hit_time)},
          {"latency_inclusive_time", number(m.latency_inclusive_time)},
          {"missed", count(m.missed)},
          {"switches", count(m.switches)}};
}

// What a map's gains are worth.
Json worth(const evaluate::GainWorth& gains) {
  return {{"benefit", number(gains.benefit())},
          {"wrong_emphasis", number(gains.wrong_emphasis())},
          {"travel", number(gains.travel())},
          {"wrong_share", number(gains.wrong_share())}};
}

Json compared(const ParticipantResult& participant) {
  const auto& m = participant.metrics;
  Json json = measures_of(participant.id, m);
  json.update(Json{{"false_switch_rate", number(m.false_switch_rate)},
                   {"whole_accuracy", number(m.whole_accuracy)},
                   {"windows", count(m.windows)},
                   {"chance_bound", number(participant.chance_bound)},
                   {"brier", number(participant.calibration.brier)},
                   {"ece", number(participant.calibration.expected)},
                   {"uncalibrated", uncalibrated(participant.uncalibrated)},
                   {"gain_states", participant.gain_states ? Json(*participant.gain_states) : Json(nullptr)}});
  if (participant.gains) json["gains"] = worth(*participant.gains);
  return json;
}

Json words(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json dependence_json(const std::optional<Dependence>& dependence) {
  if (!dependence) return nullptr;
  return {{"autocorrelation", dependence->autocorrelation}, {"offset_sigma", dependence->offset_sigma}};
}

Json p_value(const std::optional<evaluate::Wilcoxon>& test) {
  return number(test ? std::optional(test->p) : std::nullopt);
}

// Of one of two models that are compared side by side.
Json figures_json(std::span<const ParticipantResult> participants) {
  const MethodFigures mean = figures_of(participants);
  return {{"accuracy", number(mean.accuracy)},
          {"whole_accuracy", number(mean.whole_accuracy)},
          {"switch_time", number(mean.switch_time)},
          {"missed", count(mean.missed)},
          {"false_switch_rate", number(mean.false_switch_rate)},
          {"log_loss", number(mean.log_loss)},
          {"ece", number(mean.calibration_error)}};
}

Json method_json(const MethodResult& method) {
  Json participants = Json::array();
  for (const auto& participant : method.participants) participants.push_back(compared(participant));
  Json json{{"name", track::name(method.method)},
            {"accuracy", summary(method.accuracy)},
            {"whole_accuracy", summary(method.whole_accuracy)},
            {"switch_time",
             {{"mean", number(method.switch_time.mean)},
              {"sd", number(method.switch_time.sd)},
              {"missed", count(method.missed)}}},
            {"brier", number(method.calibration.brier)},
            {"ece", number(method.calibration.expected)},
            {"uncalibrated", uncalibrated(method.uncalibrated)},
            {"participants", participants},
            {"wilcoxon",
             {{"accuracy_p", p_value(method.accuracy_test)}, {"switch_time_p", p_value(method.switch_time_test)}}}};
  if (!method.independent.empty()) {
    json["dependence_effect"] = {{"independent", figures_json(method.independent)},
                                 {"repeating", figures_json(method.participants)}};
  }
  if (method.spread.accuracy) {
    json["over_draws"] = {{"accuracy_sd", number(method.spread.accuracy)},
                          {"switch_time_sd", number(method.spread.switch_time)}};
  }
  return json;
}

Json reliability(const evaluate::Calibration& calibration) {
  Json bins = Json::array();
  for (const auto& bin : calibration.reliability()) {
    bins.push_back({{"lower", bin.lower},
                    {"upper", bin.upper},
                    {"count", bin.count},
                    {"confidence", number(bin.confidence)},
                    {"accuracy", number(bin.accuracy)}});
  }
  return bins;
}

Json evaluated(const EvaluatedParticipant& participant, const std::vector<std::string>& gain_maps) {
  const evaluate::ParticipantMetrics& m = participant.metrics;
  Json json = measures_of(participant.id, m);
  json.update(Json{{"miss_rate", number(m.miss_rate)},
                   {"false_switch_rate", number(m.false_switch_rate)},
                   {"whole_accuracy", number(m.whole_accuracy)},
                   {"windows", count(m.windows)},
                   {"steady_windows", count(m.steady_windows)},
                   {"chance", 1 / static_cast<double>(participant.speakers)},
                   {"chance_bound", number(participant.chance_bound())},
                   {"brier", number(participant.calibration.brier())},
                   {"ece", number(participant.calibration.expected_calibration_error())},
                   {"over_confidence", number(participant.calibration.over_confidence())},
                   {"log_loss", number(participant.calibration.log_loss())},
                   {"reliability", reliability(participant.calibration)}});
  for (std::size_t g = 0; g < gain_maps.size(); ++g) json["gains"][gain_maps[g]] = worth(participant.gains[g]);
  return json;
}

Json curve_json(const SwitchDurations& participant) {
  Json curve = Json::array();
  for (const DecidedWindows& point : participant.curve) {
    curve.push_back({{"window", point.window.value},
                     {"windows", count(point.counts.windows)},
                     {"accuracy", number(point.counts.accuracy())},
                     {"pairwise_accuracy", number(point.counts.pairwise_accuracy())},
                     {"chance_bound", number(point.chance_bound)}});
  }
  return curve;
}

// The keys are there whether it exists or not.
Json mesd_object(const std::optional<evaluate::Mesd>& mesd) {
  if (!mesd) {
    return {{"mesd", nullptr}, {"window", nullptr}, {"accuracy", nullptr}, {"states", nullptr}, {"target", nullptr}};
  }
  return {{"mesd", mesd->duration.value},
          {"window", mesd->window.value},
          {"accuracy", mesd->accuracy},
          {"states", mesd->chain.states},
          {"target", mesd->chain.target}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json json{{"methods", Json::array()},
            {"chance", comparison.chance},
            {"speakers", comparison.speakers},
            {"window", comparison.window.value}};
  if (comparison.hop != comparison.window) json["hop"] = comparison.hop.value;
  if (!comparison.switching.empty()) {
    json["switching"] = Json::array();
    for (const SwitchPosterior& one : comparison.switching)
      json["switching"].push_back(Json::parse(switching_json(one)));
  }
  if (comparison.by_trial) json["by_trial"] = true;
  if (comparison.draws > 1) json["draws"] = comparison.draws;
  if (!comparison.gain_map.empty()) json["gain_map"] = comparison.gain_map;
  json["temperatures"] = comparison.temperatures;
  json["evidence_scales"] = numbers(comparison.evidence_scales);
  json["evidence"] = words(comparison.evidence_words);
  const auto is_dependent = [](const std::optional<Dependence>& one) { return one.has_value(); };
  if (std::ranges::any_of(comparison.dependences, is_dependent)) {
    for (const auto& one : comparison.dependences) json["dependences"].push_back(dependence_json(one));
  }
  json["lag_correlations"] = numbers(comparison.lag_correlations);
  if (comparison.learning != Learning::inductive) json["learning"] = name(comparison.learning);
  for (const MethodResult& method : comparison.methods) json["methods"].push_back(method_json(method));
  return text(json);
}

std::string curves_json(const Comparison& comparison) {
  Json json = Json::object();
  for (const MethodResult& method : comparison.methods) {
    if (method.curve.empty()) continue;
    Json& curve = json[std::string(track::name(method.method))] = Json::array();
    for (const TradeOffPoint& point : method.curve) {
      curve.push_back({{"switch_probability", point.switch_probability},
                       {"accuracy", summary(point.accuracy)},
                       {"switch_time", summary(point.switch_time)}});
    }
  }
  return text(json);
}

std::string participant_json(const Evaluation& evaluation, std::size_t k) {
  return text(evaluated(evaluation.participants[k], evaluation.gain_maps));
}

std::string evaluation_json(const Evaluation& evaluation) {
  const auto& lags = evaluation.lag_correlations;
  Json json{{"participants", Json::array()},
            {"accuracy", summary(evaluation.accuracy)},
            {"switch_time", summary(evaluation.switch_time)},
            {"lag_correlations", lags.empty() ? Json(nullptr) : numbers(lags)}};
  if (!lags.empty()) {
    json["evidence_scale"] = number(evaluation.evidence_scale);
    json["evidence"] = words(evaluation.evidence_words);
  }
  for (const EvaluatedParticipant& one : evaluation.participants) {
    json["participants"].push_back(evaluated(one, evaluation.gain_maps));
  }
  return text(json);
}

std::string switch_durations_json(const MesdResult& result) {
  Json json{{"participants", Json::array()}, {"mesd", summary(result.mesd)}};
  for (const SwitchDurations& one : result.participants) {
    Json participant{{"id", one.id}, {"speakers", one.speakers}, {"curve", curve_json(one)}};
    participant.update(mesd_object(one.mesd));
    json["participants"].push_back(std::move(participant));
  }
  return text(json);
}

std::string mesd_json(const evaluate::Mesd& mesd) { return text(mesd_object(mesd)); }

}  // namespace heed::pipeline
