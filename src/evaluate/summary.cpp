// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/summary.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace heed::evaluate {
namespace {

constexpr std::size_t largest_exact = 25;

struct RankSums {
  double positive = 0;
  double negative = 0;
  double ties = 0;  // sum of t^3 - t over groups of t equal sizes
};

// Equal sizes share the mean of their ranks. differences: sorted by size, no zeros.
RankSums rank(std::span<const double> differences) {
  RankSums sums;
  for (std::size_t first = 0; first < differences.size();) {
    std::size_t end = first + 1;
    while (end < differences.size() && std::abs(differences[end]) == std::abs(differences[first])) ++end;
    const double shared_rank = static_cast<double>(first + 1 + end) / 2;
    const auto equal = static_cast<double>(end - first);
    sums.ties += (equal * equal * equal) - equal;
    for (; first < end; ++first) (differences[first] > 0 ? sums.positive : sums.negative) += shared_rank;
  }
  return sums;
}

// 2 P(rank sum <= statistic) when every sign is a fair coin: patterns are counted rank by rank.
double exact_p(std::size_t n, double statistic) {
  const auto reached = static_cast<std::size_t>(statistic);
  std::vector<std::uint64_t> patterns((n * (n + 1) / 2) + 1, 0);
  patterns[0] = 1;
  for (std::size_t r = 1; r <= n; ++r) {
    for (std::size_t sum = patterns.size() - 1; sum >= r; --sum) patterns[sum] += patterns[sum - r];
  }
  std::uint64_t extreme = 0;
  for (std::size_t sum = 0; sum <= reached; ++sum) extreme += patterns[sum];
  return std::min(1.0, std::ldexp(static_cast<double>(2 * extreme), -static_cast<int>(n)));
}

double normal_p(std::size_t n, double statistic, double ties) {
  const auto count = static_cast<double>(n);
  const double mean = count * (count + 1) / 4;
  const double variance = ((count * (count + 1) * ((2 * count) + 1)) - (ties / 2)) / 24;
  // At the mean itself the continuity correction must not overshoot: p = 1.
  const double distance = std::max(0.0, mean - statistic - 0.5);
  return std::erfc(distance / std::sqrt(variance) / std::numbers::sqrt2);
}

}  // namespace

Summary summarise(std::span<const std::optional<double>> values) {
  Summary summary;
  double total = 0;
  for (const auto& value : values) {
    if (!value) continue;
    total += *value;
    ++summary.count;
  }
  if (summary.count == 0) return summary;
  const auto count = static_cast<double>(summary.count);
  const double mean = total / count;
  summary.mean = mean;
  if (summary.count < 2) return summary;
  double squares = 0;
  for (const auto& value : values) {
    if (value) squares += (*value - mean) * (*value - mean);
  }
  summary.sd = std::sqrt(squares / (count - 1));
  return summary;
}

std::optional<Quartiles> quartiles(std::span<const std::optional<double>> values) {
  std::vector<double> sorted;
  for (const auto& value : values) {
    if (value) sorted.push_back(*value);
  }
  if (sorted.empty()) return std::nullopt;
  std::ranges::sort(sorted);
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + ((place - std::floor(place)) * (sorted[above] - sorted[below]));
  };
  return Quartiles{.lower = at(0.25), .upper = at(0.75)};
}

std::optional<Wilcoxon> wilcoxon_signed_rank(std::span<const double> differences) {
  std::vector<double> kept;
  kept.reserve(differences.size());
  for (std::size_t k = 0; k < differences.size(); ++k) {
    if (!std::isfinite(differences[k])) {
      throw Error(ErrorKind::bad_data,
                  "difference " + std::to_string(k + 1) + " is not a finite number; leave the pair out of the test");
    }
    if (differences[k] != 0) kept.push_back(differences[k]);
  }
  if (kept.empty()) return std::nullopt;
  std::sort(kept.begin(), kept.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });

  const RankSums sums = rank(kept);
  Wilcoxon result{.statistic = std::min(sums.positive, sums.negative), .n = kept.size()};
  result.exact = kept.size() <= largest_exact && sums.ties == 0;
  result.p = result.exact ? exact_p(result.n, result.statistic) : normal_p(result.n, result.statistic, sums.ties);
  return result;
}

std::optional<Wilcoxon> wilcoxon_signed_rank(std::span<const std::optional<double>> first,
                                             std::span<const std::optional<double>> second) {
  if (first.size() != second.size()) {
    throw Error(ErrorKind::invalid_argument, std::to_string(first.size()) + " participants against " +
                                                 std::to_string(second.size()) +
                                                 "; the test pairs the same participants");
  }
  std::vector<double> differences;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (first[k] && second[k]) differences.push_back(*first[k] - *second[k]);
  }
  return wilcoxon_signed_rank(differences);
}

}  // namespace heed::evaluate
