// SPDX-License-Identifier: MIT
// Spearman's rank correlation.
#pragma once

#include <vector>

namespace heed::evaluate {

// Of values that belong together by their places; equal ones share the mean of their ranks. 0 where one of the two does
// not vary.
[[nodiscard]] double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace heed::evaluate
