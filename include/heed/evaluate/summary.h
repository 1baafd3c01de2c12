// SPDX-License-Identifier: MIT
// Measures over participants, for whom they need not exist: mean and spread, and whether two methods differ.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace heed::evaluate {

struct Summary {
  std::optional<double> mean;  // of the values that exist; nothing if none does
  std::optional<double> sd;    // sample standard deviation (n - 1); nothing for fewer than two values
  std::size_t count = 0;       // how many exist
};

Summary summarise(std::span<const std::optional<double>> values);

// A quarter of the values lies below the first, a quarter above the second; between two values interpolated evenly.
struct Quartiles {
  double lower = 0;
  double upper = 0;
};

// Nothing if no value exists.
std::optional<Quartiles> quartiles(std::span<const std::optional<double>> values);

// Wilcoxon's signed-rank test, two-sided: do two methods differ over the same participants? Differences of zero are
// dropped. Exact for at most 25 of different size, else normal with the corrections for ties and continuity.

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
