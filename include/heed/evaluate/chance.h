// SPDX-License-Identifier: MIT
// What a guesser would reach: accuracy 1/N, and how far above it luck alone may carry. Correct windows
// of a guesser are binomial(n, 1/N), taken as independent; a tracker's decisions are not, so the bound
// belongs beside raw accuracies.
#pragma once

#include <heed/data/matrix.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace heed::evaluate {

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
