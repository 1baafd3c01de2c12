// SPDX-License-Identifier: MIT
// The JSON of comparisons (docs/formats.md): methods, and every participant of each.
#pragma once

#include <heed/pipeline/compare.h>

#include <nlohmann/json.hpp>

namespace heed::app {

[[nodiscard]] nlohmann::ordered_json comparison_json(const pipeline::Comparison& comparison);

}  // namespace heed::app
