// SPDX-License-Identifier: MIT
// Numbers as people write them, for messages: 1.5, not 1.500000.
#pragma once

#include <string>

namespace heed::data {

// Up to six significant digits, no trailing zeros.
[[nodiscard]] std::string shown(double value);

}  // namespace heed::data
