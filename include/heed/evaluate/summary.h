// SPDX-License-Identifier: MIT
// Measures over participants, for whom they need not exist: mean and spread, and whether two methods differ.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

// Wilcoxon's signed-rank test: do two methods differ over the same participants? Differences of zero are dropped. Exact
// for at most 25 of different size, else normal with the corrections for ties and continuity.

struct Wilcoxon {
  double statistic = 0;   // the smaller of the rank sums of positive and of negative differences
  double p = 1;           // two-sided
  double p_positive = 1;  // one-sided: small where the differences are positive
  double p_negative = 1;  // likewise
  std::size_t n = 0;      // differences that are not zero
  bool exact = false;
};

// Nothing if no difference is left. Throws Error on a difference that is not a finite number.
std::optional<Wilcoxon> wilcoxon_signed_rank(std::span<const double> differences);

// first[k] and second[k] belong to participant k; pairs with a missing half are left out. Throws Error
// if the lengths differ.
std::optional<Wilcoxon> wilcoxon_signed_rank(std::span<const std::optional<double>> first,
                                             std::span<const std::optional<double>> second);

// Wilcoxon's rank-sum test (Mann and Whitney's U): do different participants differ? Exact for at most 25 values of
// different size in all, else normal with the corrections for ties and continuity.
struct RankSum {
  double statistic = 0;   // U: pairs in which the first is greater, ties counted half
  double p = 1;           // two-sided
  double p_positive = 1;  // one-sided: small where the first ones are greater
  double p_negative = 1;  // likewise
  bool exact = false;
};

// Nothing if one side is empty or all values are equal. Throws Error on a value that is not a finite number.
std::optional<RankSum> wilcoxon_rank_sum(std::span<const double> first, std::span<const double> second);

// Spearman's rank correlation of values that belong together by their places; equal ones share the mean of their ranks.
// 0 where one of the two does not vary.
[[nodiscard]] double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace heed::evaluate
