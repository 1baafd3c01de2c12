// SPDX-License-Identifier: MIT
// One step of Viterbi's recursion: the best state before each state.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <cstddef>
#include <span>

namespace heed::hmm {

// What differs by no more is a tie: the same factors multiplied in another order. A missing window makes
// such ties, for switching before it or after it is equally likely.
inline constexpr double viterbi_tie = 1e-12;

// The lowest index among the best.
[[nodiscard]] std::size_t lowest_best(std::span<const double> score) noexcept;

// Logarithms of the probabilities of a step.
struct LogMoves {
  // Of a sticky chain; staying is at least as likely as any one move.
  double stay = 0;
  double move = 0;
  MatrixView general{};  // of any other; empty: sticky

  static LogMoves of(const Chain& chain) noexcept;
};

// What windows add to a path's log-probability, and how many of them were missing.
struct PathEvidence {
  double log_probability = 0;
  Index held = 0;
};

// Adds the window's evidence unless it is missing, then takes the best score out, so that nothing drifts.
PathEvidence absorb_best(std::span<double> score, std::span<const double> log_likelihood) noexcept;

// The best state before j, given the scores of the window before. Ties as below.
[[nodiscard]] std::size_t best_before(const LogMoves& moves, std::span<const double> score, std::size_t j) noexcept;

// score_j <- the best of score_i + log A_ij, came_from_j <- its i. Ties: stay first, then the lowest index.
void predict_best(const LogMoves& moves, std::span<double> score, std::span<Speaker> came_from,
                  std::span<double> scratch) noexcept;

}  // namespace heed::hmm
