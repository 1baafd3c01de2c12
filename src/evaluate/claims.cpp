// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <evaluate/claim_words.h>
#include <evaluate/claims.h>
#include <evaluate/frontier.h>
#include <heed/evaluate/summary.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::evaluate {
namespace {

using Values = std::vector<std::optional<double>>;

constexpr double significant = 0.05;
constexpr double least_correlation = 0.7;  // of ranks
constexpr double share_margin = 0.02;
constexpr double relative_margin = 0.2;

ClaimVerdict no_values() { return {.evidence = "no such results", .has_results = false}; }

bool has_columns(const Claim& claim, const ResultTable& results) {
  std::vector<std::string> wanted{"participant", claim.measure, claim.with, claim.along};
  for (const NamedValue& one : claim.setting) wanted.push_back(one.name);
  for (const NamedValue& one : claim.other) wanted.push_back(one.name);
  for (const NamedValue& one : claim.reference) wanted.push_back(one.name);
  return std::ranges::all_of(wanted, [&](const std::string& name) {
    return name.empty() || std::ranges::find(results.columns, name) != results.columns.end();
  });
}

NamedValues at_place(NamedValues setting, const std::string& along, double place) {
  setting.push_back({.name = along, .value = place});
  return setting;
}

std::vector<double> known(const Values& values) {
  std::vector<double> result;
  for (const auto& value : values) {
    if (value) result.push_back(*value);
  }
  return result;
}

// a[k] - b[k] where both exist.
Values differences(const Values& a, const Values& b) {
  Values result(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] && b[k]) result[k] = *a[k] - *b[k];
  }
  return result;
}

Values shifted(Values values, double sign, double shift) {
  for (auto& value : values) {
    if (value) *value = sign * (*value + shift);
  }
  return values;
}

// ---- what listeners answer ----

// p of a two-sided test, and on which side the ranks lie.
struct Answer {
  double p = 1;
  double side = 0;
};

// `side` is where the mean lies: above zero on the side of the claim.
ClaimVerdict decide(const Answer& answer, double side, std::size_t count, std::string evidence) {
  evidence += ", " + p_in_words(answer.p) + ", n = " + std::to_string(count);
  if (!(answer.p < significant)) return {.holds = std::nullopt, .evidence = evidence + ": not significant"};
  if (answer.side > 0 && side > 0) return {.holds = true, .evidence = std::move(evidence)};
  if (answer.side < 0 && side < 0) return {.holds = false, .evidence = std::move(evidence)};
  return {.holds = std::nullopt, .evidence = evidence + ": listeners and their mean disagree"};
}

// Answers above zero are on the side of the claim.
ClaimVerdict decide(const Values& answers, double side, std::string evidence) {
  const std::vector<double> given = known(answers);
  if (given.empty()) return no_values();
  const auto test = wilcoxon_signed_rank(given);
  if (!test) return {.evidence = evidence + ", no difference for any listener"};
  const Answer answer{test->p, test->p_negative - test->p_positive};
  return decide(answer, side, given.size(), std::move(evidence));
}

// ---- two settings ----

struct Sides {
  Values first{};
  Values second{};
  double mean = 0;
  double other = 0;
  bool paired = false;
};

std::optional<Sides> sides_of(const Claim& claim, const ResultTable& results) {
  Sides sides{.first = measured(results, claim.setting, claim.measure).values,
              .second = measured(results, claim.other, claim.measure).values};
  const auto mean = summarise(sides.first).mean;
  const auto other = summarise(sides.second).mean;
  if (!mean || !other) return std::nullopt;
  sides.mean = *mean;
  sides.other = *other;
  sides.paired = !known(differences(sides.first, sides.second)).empty();
  return sides;
}

// "causal HMM: 94.0 %; Markov chain: 85.0 %", or without names "94.0 % against 85.0 %".
std::string beside(const SideNames& names, const std::string& first, const std::string& second) {
  if (names.setting.empty() || names.other.empty()) return first + " against " + second;
  return names.setting + ": " + first + "; " + names.other + ": " + second;
}

std::string both_means(const Sides& sides, const std::string& measure, const SideNames& names) {
  return beside(names, in_words(sides.mean, measure), in_words(sides.other, measure));
}

// Greater or less: which of the two comes first is a matter of words.
ClaimVerdict judge_order(const Claim& claim, const Sides& sides, const SideNames& names) {
  const std::string evidence = both_means(sides, claim.measure, names);
  const double sign = claim.kind == ClaimKind::less ? -1 : 1;
  const double side = sign * (sides.mean - sides.other);
  if (sides.paired) return decide(shifted(differences(sides.first, sides.second), sign, 0), side, evidence);
  const auto first = known(sides.first);
  const auto second = known(sides.second);
  const auto test = wilcoxon_rank_sum(first, second);
  if (!test) return {.evidence = evidence + ", no difference between any listeners"};
  return decide(Answer{test->p, sign * (test->p_negative - test->p_positive)}, side, first.size() + second.size(),
                evidence + ", different listeners");
}

// One-sided p that the first lie above the second by more than `shift`.
double p_beyond(const Sides& sides, double shift) {
  if (sides.paired) {
    const auto given = known(shifted(differences(sides.first, sides.second), 1, -shift));
    const auto test = wilcoxon_signed_rank(given);
    return test ? test->p_positive : 1;
  }
  const auto test = wilcoxon_rank_sum(known(shifted(sides.first, 1, -shift)), known(sides.second));
  return test ? test->p_positive : 1;
}

// Two one-sided tests.
ClaimVerdict judge_alike(const Claim& claim, const Sides& sides, const SideNames& names) {
  const Sides turned{sides.second, sides.first, sides.other, sides.mean, sides.paired};
  const double margin = likeness_margin(claim.measure, sides.mean, sides.other);
  const double within = std::max(p_beyond(sides, -margin), p_beyond(turned, -margin));
  const double beyond = std::min(p_beyond(sides, margin), p_beyond(turned, margin));
  const std::string words = difference_in_words(margin, claim.measure);
  std::string evidence = both_means(sides, claim.measure, names) + (sides.paired ? "" : ", different listeners");
  const auto all = differences(sides.first, sides.second);
  const std::size_t count = sides.paired ? known(all).size() : known(sides.first).size() + known(sides.second).size();
  if (sides.paired && std::ranges::all_of(known(all), [](double d) { return d == 0; })) {
    // Of one listener nothing follows for others.
    return {.holds = count > 1 ? std::optional(true) : std::nullopt,
            .evidence = evidence + ", no difference for any listener"};
  }
  const std::string n = ", n = " + std::to_string(count);
  const bool near = std::abs(sides.mean - sides.other) < margin;
  if (within < significant && !near) {
    return {.evidence =
                evidence + ", more than " + words + " apart, but most listeners less (" + p_in_words(within) + ")" + n};
  }
  if (within < significant) {
    return {.holds = true, .evidence = evidence + ", less than " + words + " apart: " + p_in_words(within) + n};
  }
  if (beyond < significant && !near) {
    return {.holds = false, .evidence = evidence + ", more than " + words + " apart: " + p_in_words(beyond) + n};
  }
  evidence += ", neither less (" + p_in_words(within) + ") nor more (" + p_in_words(beyond) + ") than " + words;
  return {.holds = std::nullopt, .evidence = evidence + " apart" + n};
}

// ---- along an axis ----

// A measure along an axis: of every participant, and their mean.
struct Line {
  std::vector<double> places{};
  std::vector<Values> values{};  // [place][participant]
  std::vector<double> means{};   // [place]

  // Of one participant, where all places have a value; else nothing.
  [[nodiscard]] std::vector<double> of(std::size_t participant) const {
    std::vector<double> line;
    for (const Values& at : values) {
      if (at[participant]) line.push_back(*at[participant]);
    }
    return line.size() == places.size() ? line : std::vector<double>{};
  }
  [[nodiscard]] std::size_t participants() const { return values.empty() ? 0 : values.front().size(); }
};

Line line_of(const Claim& claim, const std::string& measure, const ResultTable& results) {
  Line line;
  for (const double place : places_along(results, claim.setting, claim.along)) {
    Values values = measured(results, at_place(claim.setting, claim.along, place), measure).values;
    const auto mean = summarise(values).mean;
    if (!mean) continue;
    line.places.push_back(place);
    line.values.push_back(std::move(values));
    line.means.push_back(*mean);
  }
  return line;
}

// [participant]: what `answer` makes of its line.
template <typename Function>
Values answers_of(const Line& line, Function answer) {
  Values answers(line.participants());
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const std::vector<double> values = line.of(k);
    if (!values.empty()) answers[k] = answer(values, k);
  }
  return answers;
}

ClaimVerdict judge_trend(const Claim& claim, const Line& line) {
  const double direction = claim.kind == ClaimKind::rises ? 1 : -1;
  const double correlation = rank_correlation(line.means, line.places);
  const double change = direction * (line.means.back() - line.means.front());
  // A hair below the bound for what rounding does to it.
  const bool steady = std::abs(correlation) >= least_correlation - 1e-12 && change * direction * correlation > 0;
  const Values answers = answers_of(line, [&](const std::vector<double>& values, std::size_t) {
    return direction * rank_correlation(values, line.places);
  });
  const auto at = [&](double mean, double place) {
    return in_words(mean, claim.measure) + " at " + data::shown(place);
  };
  return decide(answers, steady ? change : 0,
                "from " + at(line.means.front(), line.places.front()) + " to " +
                    at(line.means.back(), line.places.back()) + ", rank correlation with the axis " +
                    with_decimals(correlation, 2) + " (a trend needs " + with_decimals(least_correlation, 1) + ")");
}

double middle_of(const std::vector<double>& values) {
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// Twice the middle, less both ends: what the first half gains beyond the second.
double levelling(const std::vector<double>& values) { return (2 * middle_of(values)) - values.front() - values.back(); }

ClaimVerdict judge_levelling(const Claim& claim, const Line& line) {
  const double middle = middle_of(line.means);
  const bool rises = middle > line.means.front();
  return decide(answers_of(line, [](const std::vector<double>& values, std::size_t) { return levelling(values); }),
                rises ? levelling(line.means) : std::min(levelling(line.means), 0.0),
                "from " + in_words(line.means.front(), claim.measure) + " to " + in_words(middle, claim.measure) +
                    " over the first half, to " + in_words(line.means.back(), claim.measure) + " over the second");
}

ClaimVerdict judge_together(const Line& line, const Line& with) {
  if (line.places != with.places) return no_values();
  const double correlation = rank_correlation(line.means, with.means);
  const Values answers = answers_of(line, [&](const std::vector<double>& values, std::size_t k) {
    const std::vector<double> others = with.of(k);
    return others.empty() ? std::nullopt : std::optional(rank_correlation(values, others));
  });
  return decide(answers, correlation,
                "rank correlation of the two, means over the listeners, " + with_decimals(correlation, 2));
}

ClaimVerdict judge_along(const Claim& claim, const ResultTable& results) {
  const Line line = line_of(claim, claim.measure, results);
  if (line.places.size() < (claim.kind == ClaimKind::levels_off ? 3U : 2U)) return no_values();
  if (claim.kind == ClaimKind::levels_off) return judge_levelling(claim, line);
  if (claim.kind == ClaimKind::rises_with) return judge_together(line, line_of(claim, claim.with, results));
  return judge_trend(claim, line);
}

// How much each participant's measure changes between two places of the axis, and the mean of that.
ClaimVerdict judge_changes(const Claim& claim, const ResultTable& results, const SideNames& names) {
  const auto change = [&](const NamedValues& setting) {
    const auto at = [&](double place) {
      return measured(results, at_place(setting, claim.along, place), claim.measure).values;
    };
    Values changes = differences(at(claim.to), at(claim.from));
    for (auto& one : changes) {
      if (one) *one = std::abs(*one);
    }
    return changes;
  };
  const Values ours = change(claim.setting);
  const Values others = change(claim.other);
  const auto mean = summarise(ours).mean;
  const auto other = summarise(others).mean;
  if (!mean || !other) return no_values();
  return decide(differences(others, ours), *other - *mean,
                "change of " + beside(names, difference_in_words(*mean, claim.measure),
                                      difference_in_words(*other, claim.measure)));
}

// What is regained, less half of what was lost.
ClaimVerdict judge_made_up(const Claim& claim, const ResultTable& results) {
  const Values without = measured(results, claim.other, claim.measure).values;
  const Values regained = differences(measured(results, claim.setting, claim.measure).values, without);
  const Values lost = differences(measured(results, claim.reference, claim.measure).values, without);
  const auto gain = summarise(regained).mean;
  const auto loss = summarise(lost).mean;
  if (!gain || !loss) return no_values();
  constexpr double most = 0.5;
  const std::string share = *loss > 0 ? " (" + with_decimals(100 * *gain / *loss, 0) + " %)" : "";
  return decide(differences(regained, shifted(lost, most, 0)), *gain - (most * *loss),
                difference_in_words(*gain, claim.measure) + " regained of " +
                    difference_in_words(*loss, claim.measure) + " lost" + share);
}

// ---- a bound ----

ClaimVerdict judge_bound(const Claim& claim, const ResultTable& results) {
  const Values values = measured(results, claim.setting, claim.measure).values;
  const auto mean = summarise(values).mean;
  if (!mean) return no_values();
  const double sign = claim.kind == ClaimKind::below ? -1 : 1;
  return decide(shifted(values, sign, -claim.bound), sign * (*mean - claim.bound),
                in_words(*mean, claim.measure) + " (bound " + in_words(claim.bound, claim.measure) + ")");
}

// It fails where a place lies significantly above the bound, by Holm's correction for their number the lowest p times
// that number; it holds where no mean lies above it and the listeners' means over all places are significantly below.
ClaimVerdict judge_never_above(const Claim& claim, const ResultTable& results) {
  Line line = line_of(claim, claim.measure, results);
  const auto first = static_cast<std::size_t>(std::ranges::lower_bound(line.places, claim.from) - line.places.begin());
  if (first == line.places.size()) return no_values();
  double p = 1;
  std::size_t highest = first;
  for (std::size_t k = first; k < line.places.size(); ++k) {
    const auto test = wilcoxon_signed_rank(known(shifted(line.values[k], 1, -claim.bound)));
    if (test) p = std::min(p, test->p_positive * static_cast<double>(line.places.size() - first));
    if (line.means[k] > line.means[highest]) highest = k;
  }
  const std::string evidence =
      "at most " + in_words(line.means[highest], claim.measure) + " (at " + data::shown(line.places[highest]) + ")";
  if (p < significant) return {.holds = false, .evidence = evidence + ", above the bound: " + p_in_words(p)};
  if (!(line.means[highest] < claim.bound)) return {.evidence = evidence + ", above the bound, but not significantly"};
  const Values over_all = answers_of(line, [&](const std::vector<double>& values, std::size_t) {
    const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(), 0.0);
    return claim.bound - (sum / static_cast<double>(values.size() - first));
  });
  return decide(over_all, claim.bound - line.means[highest], evidence);
}

// ---- frontiers ----

ClaimVerdict judge_frontiers(const Claim& claim, const ResultTable& results, const SideNames& names) {
  const auto points_at = [&](const NamedValues& setting) {
    return operating_points(results, setting, {claim.measure, claim.with});
  };
  const auto found = compare_frontiers(points_at(claim.setting), points_at(claim.other));
  if (!found) return no_values();
  const auto with_sign = [](double value, const std::string& words) { return (value > 0 ? "+" : "") + words; };
  const auto points = [&](double value) { return with_sign(value, difference_in_words(value, claim.measure)); };
  const auto number = [&](double value) { return with_sign(value, with_decimals(100 * value, 1)); };
  const auto& gain = found->gain;
  // Two one-sided tests of 5 % each are an interval of 90 %.
  const bool likeness = claim.kind == ClaimKind::same_frontier;
  const double lower = likeness ? gain.lower_90 : gain.lower;
  const double upper = likeness ? gain.upper_90 : gain.upper;
  const bool named = !names.setting.empty() && !names.other.empty();
  ClaimVerdict verdict{.evidence = points(gain.value) + " at equal time (" + (likeness ? "90" : "95") + " % interval " +
                                   number(lower) + " to " + number(upper) + ")" +
                                   (named ? ", " + names.setting + " less " + names.other : "")};
  if (found->time_ratio) {
    const auto percent = [](double ratio) { return with_decimals(100 * ratio, 0) + " %"; };
    verdict.evidence += ", " + percent(found->time_ratio->value) + " of the time at equal accuracy (" +
                        percent(found->time_ratio->lower) + " to " + percent(found->time_ratio->upper) + ")";
  }
  verdict.evidence += ", n = " + std::to_string(found->participants);
  if (likeness ? lower > -share_margin && upper < share_margin : lower > 0) verdict.holds = true;
  if (likeness ? lower > share_margin || upper < -share_margin : upper < 0) verdict.holds = false;
  return verdict;
}

ClaimVerdict judge_two(const Claim& claim, const ResultTable& results, const SideNames& names) {
  const auto sides = sides_of(claim, results);
  if (!sides) return no_values();
  return claim.kind == ClaimKind::alike ? judge_alike(claim, *sides, names) : judge_order(claim, *sides, names);
}

ClaimVerdict judge_as_it_is(const Claim& claim, const ResultTable& results, const SideNames& names) {
  switch (claim.kind) {
    case ClaimKind::greater:
    case ClaimKind::less:
    case ClaimKind::alike:
      return judge_two(claim, results, names);
    case ClaimKind::rises:
    case ClaimKind::falls:
    case ClaimKind::levels_off:
    case ClaimKind::rises_with:
      return judge_along(claim, results);
    case ClaimKind::changes_less:
      return judge_changes(claim, results, names);
    case ClaimKind::makes_up:
      return judge_made_up(claim, results);
    case ClaimKind::never_above:
      return judge_never_above(claim, results);
    case ClaimKind::better_frontier:
    case ClaimKind::same_frontier:
      return judge_frontiers(claim, results, names);
    case ClaimKind::below:
    case ClaimKind::above:
      break;
  }
  return judge_bound(claim, results);
}

// A cohort with one speaker less stands in with one that is made up; its results carry that name.
bool take_surrogates(NamedValues& setting, const ResultTable& results) {
  const auto speakers = std::ranges::find(setting, "speakers", &NamedValue::name);
  if (speakers == setting.end() || !data::number_in(speakers->value)) return false;
  const std::size_t column = results.column("speakers");
  const auto has = [&](const TableValue& value) {
    return std::ranges::any_of(results.rows, [&](const auto& row) { return row[column] == value; });
  };
  const TableValue surrogate = data::text_of(speakers->value) + "-surrogate";
  if (has(speakers->value) || !has(surrogate)) return false;
  speakers->value = surrogate;
  return true;
}

}  // namespace

ClaimVerdict judge(const Claim& claim, const ResultTable& results, const SideNames& names) {
  if (!has_columns(claim, results)) return no_values();
  Claim about = claim;
  const bool first = take_surrogates(about.setting, results);
  const bool surrogate = take_surrogates(about.other, results) || first;
  ClaimVerdict verdict = judge_as_it_is(about, results, names);
  if (surrogate && verdict.has_results) verdict.evidence += "; one speaker is a surrogate";
  return verdict;
}

double likeness_margin(const std::string& measure, double mean, double other) {
  return is_share(measure) ? share_margin : relative_margin * std::max(std::abs(mean), std::abs(other));
}

}  // namespace heed::evaluate
