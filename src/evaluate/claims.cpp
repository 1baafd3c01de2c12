// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <evaluate/claims.h>
#include <heed/evaluate/summary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

namespace heed::evaluate {
namespace {

constexpr double significant = 0.05;
constexpr std::size_t fewest_pairs = 6;    // with five, no result of the test is significant
constexpr double least_correlation = 0.7;  // of ranks

// ---- words ----

std::string with_decimals(double value, int decimals) {
  const double unit = std::pow(10, decimals);
  double rounded = std::round(value * unit) / unit;
  if (rounded == 0) rounded = 0;  // no "-0.0"
  std::string text = std::to_string(rounded);
  return text.substr(0, text.find('.') + 1 + static_cast<std::size_t>(decimals));
}

// As tables on the terminal show them.
std::string in_words(double value, const std::string& measure) {
  constexpr std::array<std::string_view, 3> shares{"accuracy", "whole_accuracy", "miss_rate"};
  if (std::ranges::find(shares, measure) != shares.end()) return with_decimals(100 * value, 1) + " %";
  if (measure.ends_with("_time")) return with_decimals(value, 1) + " s";
  if (measure == "false_switch_rate") return with_decimals(value, 2) + " per minute";
  return with_decimals(value, 3);
}

std::string p_in_words(double p) { return p < 0.001 ? "p < 0.001" : "p = " + with_decimals(p, p < 0.1 ? 3 : 2); }

// ---- the rows of a claim ----

bool is_at(const std::vector<TableValue>& row, const std::vector<std::size_t>& columns, const NamedValues& setting) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (row[columns[k]] != setting[k].value) return false;
  }
  return true;
}

std::vector<std::size_t> columns_of(const ResultTable& results, const NamedValues& setting) {
  std::vector<std::size_t> columns;
  for (const NamedValue& one : setting) columns.push_back(results.column(one.name));
  return columns;
}

bool has_columns(const Claim& claim, const ResultTable& results) {
  std::vector<std::string> wanted{"participant", claim.measure};
  for (const NamedValue& one : claim.setting) wanted.push_back(one.name);
  for (const NamedValue& one : claim.other) wanted.push_back(one.name);
  if (!claim.along.empty()) wanted.push_back(claim.along);
  return std::ranges::all_of(wanted, [&](const std::string& name) {
    return std::ranges::find(results.columns, name) != results.columns.end();
  });
}

std::optional<double> mean_at(const Claim& claim, const NamedValues& setting, const ResultTable& results) {
  return summarise(measured(results, setting, claim.measure).values).mean;
}

ClaimVerdict no_values() { return {.holds = std::nullopt, .evidence = "no such results"}; }

// ---- two settings ----

struct Pairs {
  std::size_t count = 0;
  std::optional<Wilcoxon> test{};  // nothing: no difference in any
};

Pairs pairs_of(const Claim& claim, const ResultTable& results) {
  const std::vector<std::optional<double>> first = measured(results, claim.setting, claim.measure).values;
  const std::vector<std::optional<double>> second = measured(results, claim.other, claim.measure).values;
  Pairs pairs;
  for (std::size_t k = 0; k < first.size(); ++k) pairs.count += first[k] && second[k] ? 1U : 0U;
  pairs.test = wilcoxon_signed_rank(first, second);
  return pairs;
}

ClaimVerdict judge_two(const Claim& claim, const ResultTable& results) {
  const std::optional<double> mean = mean_at(claim, claim.setting, results);
  const std::optional<double> other = mean_at(claim, claim.other, results);
  if (!mean || !other) return no_values();
  ClaimVerdict verdict{.holds = std::nullopt,
                       .evidence = in_words(*mean, claim.measure) + " against " + in_words(*other, claim.measure)};
  const Pairs pairs = pairs_of(claim, results);
  if (pairs.count == 0) {
    if (claim.kind == ClaimKind::greater) verdict.holds = *mean > *other;
    verdict.evidence += ", other listeners";
    return verdict;
  }
  if (!pairs.test) {
    verdict.holds = claim.kind == ClaimKind::alike;
    verdict.evidence += ", no difference for any listener";
    return verdict;
  }
  verdict.evidence += ", " + p_in_words(pairs.test->p) + ", n = " + std::to_string(pairs.count);
  const bool differ = pairs.test->p < significant;
  if (claim.kind == ClaimKind::greater) {
    if (differ) verdict.holds = *mean > *other;
    if (!differ) verdict.evidence += ": not significant";
  } else if (pairs.count < fewest_pairs) {
    verdict.evidence += ": too few listeners to tell";
  } else {
    verdict.holds = !differ;
  }
  return verdict;
}

// ---- along an axis ----

// Axis to mean, where both exist, in order of the axis.
std::map<double, double> means_along(const Claim& claim, const ResultTable& results) {
  const std::size_t along = results.column(claim.along);
  const std::vector<std::size_t> columns = columns_of(results, claim.setting);
  std::map<double, double> means;
  for (const std::vector<TableValue>& row : results.rows) {
    const auto* place = std::get_if<double>(&row[along]);
    if (place == nullptr || means.contains(*place) || !is_at(row, columns, claim.setting)) continue;
    NamedValues here = claim.setting;
    here.push_back({.name = claim.along, .value = *place});
    if (const std::optional<double> mean = mean_at(claim, here, results)) means[*place] = *mean;
  }
  return means;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double one) { return one < value; });
    const auto equal = std::ranges::count(values, value);
    result.push_back(static_cast<double>(below) + (static_cast<double>(equal + 1) / 2));
  }
  return result;
}

// Spearman's, of values whose places are in order and different; 0 where all values are equal.
double rank_correlation(const std::vector<double>& values) {
  const std::vector<double> rank = ranks(values);
  const double middle = static_cast<double>(values.size() + 1) / 2;
  double together = 0;
  double of_ranks = 0;
  double of_places = 0;
  for (std::size_t k = 0; k < rank.size(); ++k) {
    const double place = static_cast<double>(k + 1) - middle;
    together += place * (rank[k] - middle);
    of_ranks += (rank[k] - middle) * (rank[k] - middle);
    of_places += place * place;
  }
  return of_ranks > 0 ? together / std::sqrt(of_ranks * of_places) : 0;
}

ClaimVerdict judge_trend(const Claim& claim, const std::vector<double>& means) {
  const double direction = claim.kind == ClaimKind::rises ? 1 : -1;
  const double correlation = rank_correlation(means);
  const bool beyond = direction * (means.back() - means.front()) > 0;
  // A hair below the bound for what rounding does to it.
  const bool steady = direction * correlation >= least_correlation - 1e-12;
  return {.holds = beyond && steady,
          .evidence = "from " + in_words(means.front(), claim.measure) + " to " +
                      in_words(means.back(), claim.measure) + ", rank correlation with the axis " +
                      with_decimals(correlation, 2)};
}

ClaimVerdict judge_levelling(const Claim& claim, const std::vector<double>& means) {
  const double middle = (means[(means.size() - 1) / 2] + means[means.size() / 2]) / 2;
  const double first = middle - means.front();
  const double second = means.back() - middle;
  return {.holds = first > 0 && first > second,
          .evidence = "from " + in_words(means.front(), claim.measure) + " to " + in_words(middle, claim.measure) +
                      " over the first half, to " + in_words(means.back(), claim.measure) + " over the second"};
}

ClaimVerdict judge_along(const Claim& claim, const ResultTable& results) {
  std::vector<double> means;
  for (const auto& [place, mean] : means_along(claim, results)) means.push_back(mean);
  const bool levels = claim.kind == ClaimKind::levels_off;
  if (means.size() < (levels ? 3U : 2U)) return no_values();
  return levels ? judge_levelling(claim, means) : judge_trend(claim, means);
}

// ---- a bound ----

ClaimVerdict judge_bound(const Claim& claim, const ResultTable& results) {
  const std::optional<double> mean = mean_at(claim, claim.setting, results);
  if (!mean) return no_values();
  return {.holds = claim.kind == ClaimKind::below ? *mean < claim.bound : *mean > claim.bound,
          .evidence = in_words(*mean, claim.measure)};
}

}  // namespace

ClaimVerdict judge(const Claim& claim, const ResultTable& results) {
  if (!has_columns(claim, results)) return no_values();
  switch (claim.kind) {
    case ClaimKind::greater:
    case ClaimKind::alike:
      return judge_two(claim, results);
    case ClaimKind::rises:
    case ClaimKind::falls:
    case ClaimKind::levels_off:
      return judge_along(claim, results);
    case ClaimKind::below:
    case ClaimKind::above:
      break;
  }
  return judge_bound(claim, results);
}

MeasuredParticipants measured(const ResultTable& results, const NamedValues& setting, const std::string& measure) {
  const std::size_t participant = results.column("participant");
  const std::size_t value_column = results.column(measure);
  const std::vector<std::size_t> columns = columns_of(results, setting);
  MeasuredParticipants all;
  std::vector<double> sums;
  std::vector<double> counts;
  std::map<std::string, std::size_t> places;
  for (const std::vector<TableValue>& row : results.rows) {
    const auto [found, is_new] = places.try_emplace(data::text_of(row[participant]), sums.size());
    if (is_new) {
      all.participants.push_back(found->first);
      sums.push_back(0);
      counts.push_back(0);
    }
    const auto* value = std::get_if<double>(&row[value_column]);
    if (value == nullptr || !std::isfinite(*value) || !is_at(row, columns, setting)) continue;
    sums[found->second] += *value;
    counts[found->second] += 1;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    all.values.push_back(counts[k] > 0 ? std::optional(sums[k] / counts[k]) : std::nullopt);
  }
  return all;
}

}  // namespace heed::evaluate
