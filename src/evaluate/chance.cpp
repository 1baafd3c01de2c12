// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::evaluate {
namespace {

void add_window(DecisionCounts& counts, std::span<const double> scores, Speaker attended) {
  if (attended == unknown_speaker || std::ranges::any_of(scores, [](double x) { return std::isnan(x); })) return;
  const double attended_score = scores[static_cast<std::size_t>(attended)];
  const auto won = static_cast<double>(std::ranges::count_if(scores, [&](double x) { return attended_score > x; }));
  const auto competitors = static_cast<double>(scores.size() - 1);
  counts.windows += 1;
  counts.pairs += competitors;
  counts.won += won;
  if (won == competitors) counts.correct += 1;
}

constexpr double significance = 0.05;

// P(X >= k), k = 0..n. Terms are built outwards from the most probable count by their exact ratios, so
// there are no factorials to overflow; far tails fade to zero.
std::vector<double> upper_tails(Index n, double p) {
  std::vector<double> terms(static_cast<std::size_t>(n) + 1);
  const auto mode = std::min(n, static_cast<Index>(static_cast<double>(n + 1) * p));
  const auto term = [&](Index k) -> double& { return terms[static_cast<std::size_t>(k)]; };
  const auto ratio = [&](Index k) {  // P(X = k) / P(X = k - 1)
    return static_cast<double>(n - k + 1) / static_cast<double>(k) * (p / (1 - p));
  };
  term(mode) = 1;
  for (Index k = mode + 1; k <= n; ++k) term(k) = term(k - 1) * ratio(k);
  for (Index k = mode; k > 0; --k) term(k - 1) = term(k) / ratio(k);
  for (Index k = n - 1; k >= 0; --k) term(k) += term(k + 1);  // smallest first
  const double total = terms.front();
  for (double& tail : terms) tail /= total;
  return terms;
}

}  // namespace

DecisionCounts& DecisionCounts::operator+=(const DecisionCounts& other) noexcept {
  windows += other.windows;
  correct += other.correct;
  pairs += other.pairs;
  won += other.won;
  return *this;
}

DecisionCounts& DecisionCounts::operator-=(const DecisionCounts& other) noexcept {
  windows -= other.windows;
  correct -= other.correct;
  pairs -= other.pairs;
  won -= other.won;
  return *this;
}

std::optional<double> DecisionCounts::accuracy() const noexcept {
  return windows > 0 ? std::optional(correct / windows) : std::nullopt;
}

std::optional<double> DecisionCounts::pairwise_accuracy() const noexcept {
  return pairs > 0 ? std::optional(won / pairs) : std::nullopt;
}

DecisionCounts count_decisions(const ScoredParticipant& participant) {
  DecisionCounts counts;
  if (!participant.features.empty()) return counts;
  for (const ScoredTrial& trial : participant.trials) {
    for (Index t = 0; t < trial.scores.values.rows(); ++t) {
      add_window(counts, data::view(trial.scores.values).row(t), trial.attention.attended[static_cast<std::size_t>(t)]);
    }
  }
  return counts;
}

Chance Chance::make(std::size_t speakers, Index windows) {
  if (speakers < 2) throw Error(ErrorKind::invalid_argument, "chance needs at least two speakers to guess from");
  if (windows < 0) throw Error(ErrorKind::invalid_argument, "a negative number of windows has no chance level");
  const double level = 1 / static_cast<double>(speakers);
  return {level, upper_tails(windows, level)};
}

std::optional<double> Chance::bound() const noexcept {
  const auto first = std::find_if(tails_.begin(), tails_.end(), [](double tail) { return tail <= significance; });
  if (first == tails_.end()) return std::nullopt;
  return static_cast<double>(first - tails_.begin()) / static_cast<double>(windows());
}

std::optional<double> Chance::p_value(double accuracy) const {
  if (!(accuracy >= 0 && accuracy <= 1)) {
    throw Error(ErrorKind::invalid_argument, "accuracy " + data::shown(accuracy) + " does not lie between 0 and 1");
  }
  if (windows() == 0) return std::nullopt;
  // k/n times n may end a rounding error above k.
  const double correct = std::ceil((accuracy * static_cast<double>(windows())) - 1e-6);
  return tails_[static_cast<std::size_t>(std::max(0.0, correct))];
}

}  // namespace heed::evaluate
