// SPDX-License-Identifier: MIT
// How the program writes JSON: what does not exist is null.
#pragma once

#include <pipeline/unknown_switching.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace heed::app {

template <typename Value>
nlohmann::ordered_json json_value(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_value(const std::optional<SwitchPosterior>& found) {
  return found ? nlohmann::ordered_json::parse(pipeline::switching_json(*found)) : nlohmann::ordered_json(nullptr);
}

// Indented, with a line end. File names may not be UTF-8: such bytes are replaced rather than refused.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heed::app
