// SPDX-License-Identifier: MIT
// What does not exist is null in JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace heed::app {

inline nlohmann::ordered_json json_value(std::optional<double> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace heed::app
