// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/json/score_rule_json.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace heed::io {

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
