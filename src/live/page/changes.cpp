// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <live/page/changes.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace heed::live {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::bad_data, message); }

// Shallow and short: bodies are bounded, and what nests is refused before it is looked at.
json object_of(std::string_view text) {
  const auto flat = [](int depth, json::parse_event_t, json&) { return depth <= 1; };
  json object = json::parse(text.begin(), text.end(), flat, false);
  if (object.is_discarded() || !object.is_object()) refuse("send a JSON object with names and values");
  return object;
}

double number_of(const std::string& name, const json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) refuse(name + " must be a number");
  return value.get<double>();
}

bool flag_of(const std::string& name, const json& value) {
  if (!value.is_boolean()) refuse(name + " must be true or false");
  return value.get<bool>();
}

void check_range(const char* name, double value, double lowest, double highest) {
  if (value >= lowest && value <= highest) return;
  throw Error(ErrorKind::invalid_argument, std::string(name) + " must be from " + data::shown(lowest) + " to " +
                                               data::shown(highest) + ", not " + data::shown(value));
}

}  // namespace

ParameterChange parse_parameter_change(std::string_view text) {
  const json object = object_of(text);
  ParameterChange change;
  for (const auto& [name, value] : object.items()) {
    if (name == "switch_probability") {
      change.switch_probability = number_of(name, value);
    } else if (name == "enhanced") {
      change.enhanced = number_of(name, value);
    } else if (name == "suppressed") {
      change.suppressed = number_of(name, value);
    } else if (name == "paused") {
      change.paused = flag_of(name, value);
    } else {
      refuse("there is no such parameter; there are switch_probability, enhanced, suppressed and paused");
    }
  }
  return change;
}

PageParameters changed(PageParameters parameters, const ParameterChange& change) {
  auto& gains = parameters.steering.gains;
  if (change.switch_probability) {
    if (parameters.tracking.chain.transition) {
      throw Error(ErrorKind::invalid_argument, "the chain is given as a matrix, so its p cannot be changed");
    }
    check_range("the switch probability", *change.switch_probability, least_switch_probability,
                most_switch_probability);
    parameters.tracking.chain.switch_probability = change.switch_probability;
  }
  gains.enhanced_decibel = change.enhanced.value_or(gains.enhanced_decibel);
  gains.suppressed_decibel = change.suppressed.value_or(gains.suppressed_decibel);
  check_range("the gain of the attended talker", gains.enhanced_decibel, gains.lowest_decibel, gains.highest_decibel);
  check_range("the gain of the other talkers", gains.suppressed_decibel, gains.lowest_decibel, gains.enhanced_decibel);
  parameters.steering.paused = change.paused.value_or(parameters.steering.paused);
  return parameters;
}

DemoWish parse_demo_wish(std::string_view text, Index speakers) {
  const json object = object_of(text);
  DemoWish wish;
  for (const auto& [name, value] : object.items()) {
    if (name == "attend") {
      if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() >= speakers) {
        refuse("attend must be the number of a talker, from 0");
      }
      wish.attend = static_cast<Speaker>(value.get<std::int64_t>());
    } else if (name == "lose_eeg") {
      wish.lose_eeg = flag_of(name, value);
    } else if (name == "listener") {
      if (value != "clear" && value != "hard") refuse("listener must be clear or hard");
      wish.listener = value == "hard" ? ListenerProfile::hard : ListenerProfile::clear;
    } else if (name == "talkers") {
      if (value != 2 && value != 3) refuse("talkers must be 2 or 3");
      wish.talkers = value.get<int>();
    } else {
      refuse("there is no such wish; there are attend, lose_eeg, listener and talkers");
    }
  }
  return wish;
}

}  // namespace heed::live
