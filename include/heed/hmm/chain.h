// SPDX-License-Identifier: MIT
// How attention moves from window to window (the paper's Section II-A): a Markov chain over speakers,
// either the paper's sticky chain (one switch probability, O(N) per step) or any stochastic matrix
// (O(N^2) per step). First index FROM, second TO, everywhere.
#pragma once

#include <heed/core/recursion.h>
#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::hmm {

struct From {
  Index state = 0;
};
struct To {
  Index state = 0;
};

// An immutable value: every Chain that exists is valid. Safe to share between threads.
class Chain {
 public:
  // Attention moves to each other speaker with probability p, so it leaves with (N-1)p.
  // Throws invalid_argument unless states >= 2 and 0 < p <= 1/N.
  static Chain sticky(Index states, double switch_probability);

  // Row = from. Entries within [0, 1], zeros allowed; a row that sums to one within 1e-6 is scaled to
  // sum to one exactly, any other is an invalid_argument that names the row and its sum.
  static Chain make(const Matrix& transition);

  // The same chain with another distribution of the first window; without it all states are equally
  // likely. Throws invalid_argument unless it has states() probabilities that sum to one within 1e-6.
  [[nodiscard]] Chain with_initial(std::span<const double> initial) const;

  [[nodiscard]] Index states() const noexcept { return static_cast<Index>(initial_.size()); }
  [[nodiscard]] std::span<const double> initial() const noexcept { return initial_; }
  // Precondition: both states exist.
  [[nodiscard]] double transition(From from, To to) const noexcept;

  // Null for a general chain.
  [[nodiscard]] const core::StickyChain<double>* as_sticky() const noexcept { return sticky_ ? &*sticky_ : nullptr; }
  // The matrix of a general chain and its logarithm; empty for a sticky one, which needs none. Their rows, and those of
  // the transposes, are filled up with impossible transitions to whole registers of any machine.
  [[nodiscard]] MatrixView general() const noexcept { return square(transition_); }
  [[nodiscard]] MatrixView log_general() const noexcept { return square(log_transition_); }
  [[nodiscard]] MatrixView general_transposed() const noexcept { return square(transposed_); }
  [[nodiscard]] MatrixView log_general_transposed() const noexcept { return square(log_transposed_); }

 private:
  Chain() = default;
  static MatrixView square(const Matrix& padded) noexcept {
    return {padded.data(), padded.rows(), padded.rows(), padded.cols()};
  }

  std::optional<core::StickyChain<double>> sticky_;
  Matrix transition_;
  Matrix log_transition_;
  Matrix transposed_;
  Matrix log_transposed_;
  std::vector<double> initial_;
};

// The paper's switch probability, of windows of one second.
inline constexpr double switch_probability_per_second = 0.001;

// p of a window of another length. Throws invalid_argument where the result leaves (0, 1/N].
// The paper's rule, p = p_1 tau: good as long as N p stays small.
double linear_switch_probability(Index states, Seconds window, double per_second = switch_probability_per_second);
// The same chain looked at every tau seconds, p = (1 - (1 - N p_1)^tau) / N: never beyond 1/N.
double exact_switch_probability(Index states, Seconds window, double per_second = switch_probability_per_second);

}  // namespace heed::hmm
