// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/summary.h>

#include <algorithm>
#include <cmath>
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

// How often each rank sum comes about when every sign is a fair coin: patterns are counted rank by rank.
std::vector<double> signed_rank_shares(std::size_t n) {
  std::vector<double> shares((n * (n + 1) / 2) + 1, 0);
  shares[0] = std::ldexp(1.0, -static_cast<int>(n));
  for (std::size_t r = 1; r <= n; ++r) {
    for (std::size_t sum = shares.size() - 1; sum >= r; --sum) shares[sum] += shares[sum - r];
  }
  return shares;
}

// How often each U comes about when every order of the values is equally likely: of m values from the ranks 1 ... m+n.
std::vector<double> rank_sum_shares(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> counts(m + 1, std::vector<double>((m * n) + 1, 0));  // [values chosen][U]
  counts[0][0] = 1;
  for (std::size_t r = 0; r < m + n; ++r) {
    for (std::size_t chosen = std::min(r + 1, m); chosen >= 1; --chosen) {
      const std::size_t below = r + 1 - chosen;  // of the others, if the value of this rank is chosen
      for (std::size_t u = counts[chosen].size(); below <= n && u-- > below;) {
        counts[chosen][u] += counts[chosen - 1][u - below];
      }
    }
  }
  double all = 0;
  for (const double count : counts[m]) all += count;
  for (double& count : counts[m]) count /= all;
  return counts[m];
}

// P(sum <= statistic), the sums being whole numbers.
double lower_tail(const std::vector<double>& shares, double statistic) {
  double tail = 0;
  for (std::size_t sum = 0; sum < shares.size() && static_cast<double>(sum) <= statistic; ++sum) tail += shares[sum];
  return std::min(1.0, tail);
}

// The same with a normal distribution, corrected for continuity.
struct NormalSum {
  double mean = 0;
  double variance = 1;
  [[nodiscard]] double lower_tail(double statistic) const {
    return std::erfc((mean - statistic - 0.5) / std::sqrt(variance) / std::numbers::sqrt2) / 2;
  }
};

double two_sided(double one, double other) { return std::min(1.0, 2 * std::min(one, other)); }

void require_finite(std::span<const double> values, const char* name) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    throw Error(ErrorKind::bad_data,
                std::string(name) + " " + std::to_string(k + 1) + " is not a finite number; leave it out of the test");
  }
}

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double one) { return one < value; });
    const auto equal = std::ranges::count(values, value);
    result.push_back(static_cast<double>(below) + (static_cast<double>(equal + 1) / 2));
  }
  return result;
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
  require_finite(differences, "difference");
  std::vector<double> kept(differences.begin(), differences.end());
  std::erase(kept, 0.0);
  if (kept.empty()) return std::nullopt;
  std::sort(kept.begin(), kept.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });

  const RankSums sums = rank(kept);
  Wilcoxon result{.statistic = std::min(sums.positive, sums.negative), .n = kept.size()};
  result.exact = kept.size() <= largest_exact && sums.ties == 0;
  if (result.exact) {
    const std::vector<double> shares = signed_rank_shares(result.n);
    result.p_positive = lower_tail(shares, sums.negative);
    result.p_negative = lower_tail(shares, sums.positive);
  } else {
    const auto n = static_cast<double>(result.n);
    const NormalSum normal{n * (n + 1) / 4, ((n * (n + 1) * ((2 * n) + 1)) - (sums.ties / 2)) / 24};
    result.p_positive = normal.lower_tail(sums.negative);
    result.p_negative = normal.lower_tail(sums.positive);
  }
  result.p = two_sided(result.p_positive, result.p_negative);
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

std::optional<RankSum> wilcoxon_rank_sum(std::span<const double> first, std::span<const double> second) {
  require_finite(first, "value");
  require_finite(second, "value");
  if (first.empty() || second.empty()) return std::nullopt;
  RankSum result;
  for (const double one : first) {
    for (const double other : second) result.statistic += one > other ? 1 : one == other ? 0.5 : 0;
  }
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  std::ranges::sort(all);
  if (all.front() == all.back()) return std::nullopt;
  double ties = 0;
  for (auto from = all.begin(); from != all.end();) {
    const auto to = std::upper_bound(from, all.end(), *from);
    const auto equal = static_cast<double>(to - from);
    ties += (equal * equal * equal) - equal;
    from = to;
  }
  const auto m = static_cast<double>(first.size());
  const auto n = static_cast<double>(second.size());
  const double other_side = (m * n) - result.statistic;
  result.exact = all.size() <= largest_exact && ties == 0;
  if (result.exact) {
    const std::vector<double> shares = rank_sum_shares(first.size(), second.size());
    result.p_positive = lower_tail(shares, other_side);
    result.p_negative = lower_tail(shares, result.statistic);
  } else {
    const double count = m + n;
    const NormalSum normal{m * n / 2, m * n / 12 * (count + 1 - (ties / (count * (count - 1))))};
    result.p_positive = normal.lower_tail(other_side);
    result.p_negative = normal.lower_tail(result.statistic);
  }
  result.p = two_sided(result.p_positive, result.p_negative);
  return result;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> of_a = ranks(a);
  const std::vector<double> of_b = ranks(b);
  const double middle = static_cast<double>(a.size() + 1) / 2;
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    products += (of_a[k] - middle) * (of_b[k] - middle);
    squares_a += (of_a[k] - middle) * (of_a[k] - middle);
    squares_b += (of_b[k] - middle) * (of_b[k] - middle);
  }
  return squares_a > 0 && squares_b > 0 ? products / std::sqrt(squares_a * squares_b) : 0;
}

}  // namespace heed::evaluate
