// SPDX-License-Identifier: MIT
#include "json_value.h"

#include <heed/io/model_file.h>

#include <string>

namespace heed::app {
namespace {

using nlohmann::ordered_json;

// "MuAttended" -> "mu_attended"
std::string snake_case(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !text.empty()) text += '_';
    text += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

// The fields of the model file, all the way down, in the spelling of the program's JSON.
ordered_json respelled(const ordered_json& json) {
  if (!json.is_structured()) return json;
  ordered_json result = json.is_array() ? ordered_json::array() : ordered_json::object();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) {
      result.push_back(respelled(value));
    } else {
      result[snake_case(key)] = respelled(value);
    }
  }
  return result;
}

}  // namespace

ordered_json parameters_json(const Model& model) {
  ordered_json json = respelled(ordered_json::parse(io::model_text(model)).at("Emission"));
  json["temperature"] = model.temperature;
  if (model.dependence) {
    json["autocorrelation"] = model.dependence->autocorrelation;
    json["offset_sigma"] = model.dependence->offset_sigma;
  }
  return json;
}

}  // namespace heed::app
