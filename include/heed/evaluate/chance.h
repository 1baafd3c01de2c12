// SPDX-License-Identifier: MIT
// What scores alone reach, and what a guesser would: accuracy 1/N, and how far above it luck alone may carry.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/scored.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace heed::evaluate {

// How often the scores alone point to the attended speaker: a point of the performance curve, and what the Markov-chain
// gain control is laid out by. Counts of participants add and subtract, so leaving one out is exact.

// Over the windows that have a label and all scores. Whole numbers.
struct DecisionCounts {
  double windows = 0;
  double correct = 0;  // the attended speaker's score is larger than all others
  double pairs = 0;    // (window, competitor)
  double won = 0;      // the attended speaker's score is larger than this competitor's

  DecisionCounts& operator+=(const DecisionCounts& other) noexcept;
  DecisionCounts& operator-=(const DecisionCounts& other) noexcept;

  // Nothing without a window. Equal for two speakers.
  [[nodiscard]] std::optional<double> accuracy() const noexcept;
  [[nodiscard]] std::optional<double> pairwise_accuracy() const noexcept;
};

// Features are no scores of speakers: of a participant with features nothing is counted.
[[nodiscard]] DecisionCounts count_decisions(const ScoredParticipant& participant);

// Correct windows of a guesser are binomial(n, 1/N), taken as independent; a tracker's decisions are not, so the bound
// belongs beside raw accuracies.

class Chance {
 public:
  // Throws Error for fewer than two speakers or a negative number of windows. O(windows).
  static Chance make(std::size_t speakers, Index windows);

  [[nodiscard]] double level() const noexcept { return level_; }

  // The one-sided upper 95 % bound, exact: the smallest accuracy k/n that a guesser reaches or exceeds
  // with probability P(X >= k) <= .05. Nothing if even n right of n would be more likely than that.
  [[nodiscard]] std::optional<double> bound() const noexcept;

  // P(X >= k) for the accuracy k/n, k rounded up where a mean over repeats lies between two counts.
  // Nothing without windows; accuracies outside [0, 1] throw Error.
  [[nodiscard]] std::optional<double> p_value(double accuracy) const;

 private:
  Chance(double level, std::vector<double> tails) : level_(level), tails_(std::move(tails)) {}

  [[nodiscard]] Index windows() const noexcept { return std::ssize(tails_) - 1; }

  double level_;
  std::vector<double> tails_;  // [k] = P(X >= k), k = 0..n
};

}  // namespace heed::evaluate
