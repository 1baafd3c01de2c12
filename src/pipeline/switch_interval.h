// SPDX-License-Identifier: MIT
// "300" or "60-125": how long attention stays, as users say it.
#pragma once

#include <heed/data/scored.h>

#include <string>

namespace heed::pipeline {

// Throws invalid_argument that names the option.
[[nodiscard]] SwitchInterval parse_interval(const std::string& option, const std::string& text);

}  // namespace heed::pipeline
