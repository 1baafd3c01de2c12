// SPDX-License-Identifier: MIT
#include <heed/evaluate/chance.h>

#include <algorithm>
#include <cmath>

namespace heed::evaluate {
namespace {

void add_window(DecisionCounts& counts, std::span<const double> scores, Speaker attended) {
  if (attended == unknown_speaker || std::ranges::any_of(scores, [](double x) { return std::isnan(x); })) return;
  const double own = scores[static_cast<std::size_t>(attended)];
  const auto won = static_cast<double>(std::ranges::count_if(scores, [&](double x) { return own > x; }));
  const auto competitors = static_cast<double>(scores.size() - 1);
  counts.windows += 1;
  counts.pairs += competitors;
  counts.won += won;
  if (won == competitors) counts.correct += 1;
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

}  // namespace heed::evaluate
