// SPDX-License-Identifier: MIT
// Wilcoxon's signed-rank test, two-sided: do two methods differ over the same participants? Differences
// of zero are dropped. Exact for at most 25 of different size, else normal with the corrections for
// ties and continuity.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace heed::evaluate {

struct Wilcoxon {
  double statistic = 0;  // the smaller of the rank sums of positive and of negative differences
  double p = 1;
  std::size_t n = 0;  // differences that are not zero
  bool exact = false;
};

// Nothing if no difference is left. Throws Error on a difference that is not a finite number.
std::optional<Wilcoxon> wilcoxon_signed_rank(std::span<const double> differences);

// first[k] and second[k] belong to participant k; pairs with a missing half are left out. Throws Error
// if the lengths differ.
std::optional<Wilcoxon> wilcoxon_signed_rank(std::span<const std::optional<double>> first,
                                             std::span<const std::optional<double>> second);

}  // namespace heed::evaluate
