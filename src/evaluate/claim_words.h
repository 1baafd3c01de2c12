// SPDX-License-Identifier: MIT
// The numbers of a verdict in words, as tables on the terminal show them.
#pragma once

#include <string>

namespace heed::evaluate {

// Whether a measure lies within [0, 1] and is shown in per cent.
[[nodiscard]] bool is_share(const std::string& measure);

[[nodiscard]] std::string with_decimals(double value, int decimals);
// "94.0 %", "20.3 s"
[[nodiscard]] std::string in_words(double value, const std::string& measure);
// "2.0 points", "4.1 s"
[[nodiscard]] std::string difference_in_words(double value, const std::string& measure);
// "p = 0.008", "p < 0.001"
[[nodiscard]] std::string p_in_words(double p);

}  // namespace heed::evaluate
