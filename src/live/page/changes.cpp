// SPDX-License-Identifier: MIT
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

}  // namespace

ParameterChange parse_parameter_change(std::string_view text) {
  const json object = object_of(text);
  ParameterChange change;
  for (const auto& [name, value] : object.items()) {
    if (name == "switch_probability") {
      change.switch_probability = number_of(name, value);
    } else if (name == "enhanced") {
      change.enhanced_decibel = number_of(name, value);
    } else if (name == "suppressed") {
      change.suppressed_decibel = number_of(name, value);
    } else if (name == "paused") {
      change.paused = flag_of(name, value);
    } else {
      refuse("there is no such parameter; there are switch_probability, enhanced, suppressed and paused");
    }
  }
  return change;
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
      refuse("there is no such request; there are attend, lose_eeg, listener and talkers");
    }
  }
  return wish;
}

}  // namespace heed::live
