// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <io/decoders/decoder_json.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace heed::io {
namespace {

constexpr std::array filter_modes{FilterMode::zero_phase, FilterMode::causal};
constexpr std::array bad_channel_choices{BadChannels::exclude, BadChannels::interpolate};
constexpr std::array reference_kinds{ReferenceKind::none, ReferenceKind::average, ReferenceKind::channels};
constexpr std::array speech_targets{SpeechTarget::envelope, SpeechTarget::onset};

template <typename Choices>
auto choice_called(const std::string& word, std::string_view key, const Choices& choices) {
  std::string known;
  for (const auto choice : choices) {
    if (word == name_of(choice)) return choice;
    known += (known.empty() ? "" : ", ") + std::string(name_of(choice));
  }
  throw Error(ErrorKind::bad_data, "key Preprocessing." + std::string(key) + " is '" + word + "', none of " + known);
}

template <typename Choices>
auto choice_named(const JsonObject& json, std::string_view key, const Choices& choices) {
  return choice_called(json.text(key), key, choices);
}

// Files of version 1 do not have the key: they are of envelopes.
std::vector<SpeechTarget> parse_targets(const JsonObject& json) {
  if (!json.has("Targets")) return Preprocessing{}.targets;
  std::vector<SpeechTarget> targets;
  for (const std::string& word : json.texts("Targets")) {
    targets.push_back(choice_called(word, "Targets", speech_targets));
  }
  return targets;
}

}  // namespace

LagRange parse_lags(const JsonObject& json, std::string_view key) {
  const auto numbers = json.numbers(key);
  constexpr double most = 1e6;  // beyond it the shape of filters could overflow
  const auto whole = [](double number) { return number == std::round(number) && std::abs(number) <= most; };
  if (numbers.size() != 2 || !std::ranges::all_of(numbers, whole) || numbers[1] < numbers[0]) {
    throw Error(ErrorKind::bad_data, "key " + std::string(key) + " is not a first and a last lag in samples");
  }
  return {static_cast<Index>(numbers[0]), static_cast<Index>(numbers[1])};
}

std::string_view name_of(ReferenceKind kind) noexcept {
  switch (kind) {
    case ReferenceKind::none:
      return "none";
    case ReferenceKind::average:
      return "average";
    case ReferenceKind::channels:
      return "channels";
  }
  return {};
}

std::string_view name_of(FilterMode mode) noexcept { return mode == FilterMode::causal ? "causal" : "zero-phase"; }
std::string_view name_of(BadChannels choice) noexcept {
  return choice == BadChannels::interpolate ? "interpolate" : "exclude";
}
std::string_view name_of(SpeechTarget target) noexcept { return target == SpeechTarget::onset ? "onset" : "envelope"; }

std::vector<std::string> names_of(std::span<const SpeechTarget> targets) {
  std::vector<std::string> names;
  for (const SpeechTarget target : targets) names.emplace_back(name_of(target));
  return names;
}

Preprocessing parse_preprocessing(const JsonObject& json) {
  Preprocessing result;
  result.sampling_frequency = Hertz{json.positive("SamplingFrequency")};
  result.low = Hertz{json.positive("LowEdge")};
  result.high = Hertz{json.positive("HighEdge")};
  result.filters = choice_named(json, "Filters", filter_modes);
  result.reference.kind = choice_named(json, "Reference", reference_kinds);
  if (result.reference.kind == ReferenceKind::channels) result.reference.channels = json.texts("ReferenceChannels");
  result.bad_channels = choice_named(json, "BadChannels", bad_channel_choices);
  result.clip = json.number("Clip");
  result.targets = parse_targets(json);
  if (const std::string fault = fault_of(result); !fault.empty()) {
    throw Error(ErrorKind::bad_data, "key Preprocessing." + fault);
  }
  return result;
}

std::string preprocessing_text(const Preprocessing& preprocessing) {
  nlohmann::ordered_json json{{"SamplingFrequency", preprocessing.sampling_frequency.value},
                              {"LowEdge", preprocessing.low.value},
                              {"HighEdge", preprocessing.high.value},
                              {"Filters", name_of(preprocessing.filters)},
                              {"Reference", name_of(preprocessing.reference.kind)},
                              {"BadChannels", name_of(preprocessing.bad_channels)},
                              {"Clip", preprocessing.clip}};
  if (preprocessing.reference.kind == ReferenceKind::channels) {
    json["ReferenceChannels"] = preprocessing.reference.channels;
  }
  if (preprocessing.targets != Preprocessing{}.targets) json["Targets"] = names_of(preprocessing.targets);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string fault_of(const Preprocessing& preprocessing) {
  const auto good = [](double value) { return value > 0 && std::isfinite(value); };
  if (!good(preprocessing.sampling_frequency.value)) return "SamplingFrequency must be greater than 0";
  if (!good(preprocessing.low.value)) return "LowEdge must be greater than 0";
  if (!good(preprocessing.high.value) || preprocessing.high <= preprocessing.low) {
    return "HighEdge must be greater than LowEdge";
  }
  if (2 * preprocessing.high.value >= preprocessing.sampling_frequency.value) {
    return "HighEdge must be below half the SamplingFrequency";
  }
  if (!(preprocessing.clip >= 0) || !std::isfinite(preprocessing.clip)) return "Clip must not be negative";
  const bool named = preprocessing.reference.kind == ReferenceKind::channels;
  if (named && preprocessing.reference.channels.empty()) return "ReferenceChannels names no channel";
  if (preprocessing.targets.empty()) return "Targets names none";
  for (const SpeechTarget target : preprocessing.targets) {
    if (std::ranges::count(preprocessing.targets, target) > 1) return "Targets names one twice";
  }
  return {};
}

std::string_view name_of(WindowMeasure measure) noexcept {
  return measure == WindowMeasure::cosine ? "cosine" : "pearson";
}

std::string score_rule_text(const ScoreRule& rule) {
  nlohmann::ordered_json json{{"Measure", name_of(rule.measure)}};
  if (rule.measure == WindowMeasure::cosine) {
    json["Shrinkage"] = rule.shrinkage;
    if (rule.memory) json["Memory"] = rule.memory->value;
  }
  return json.dump();
}

ScoreRule parse_score_rule(const JsonObject& json) {
  const std::string word = json.text("Measure");
  ScoreRule rule;
  if (word == name_of(WindowMeasure::pearson)) return rule;
  if (word != name_of(WindowMeasure::cosine)) {
    throw Error(ErrorKind::bad_data, "key Measure is '" + word + "', none of pearson, cosine");
  }
  rule.measure = WindowMeasure::cosine;
  rule.shrinkage = json.number("Shrinkage");
  if (json.has("Memory")) rule.memory = Seconds{json.positive("Memory")};
  if (const std::string fault = fault_of(rule); !fault.empty()) throw Error(ErrorKind::bad_data, "key " + fault);
  return rule;
}

std::string fault_of(const ScoreRule& rule) {
  if (!(rule.shrinkage >= 0) || !std::isfinite(rule.shrinkage)) return "Shrinkage must not be negative";
  if (rule.memory && (!(rule.memory->value > 0) || !std::isfinite(rule.memory->value))) {
    return "Memory must be greater than 0";
  }
  return {};
}

}  // namespace heed::io
