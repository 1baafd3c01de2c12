// SPDX-License-Identifier: MIT
// One step of Viterbi's recursion: the best state before each state.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

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

// score_j <- the best of score_i + log A_ij, came_from_j <- its i. Ties: stay first, then the lowest index.
void predict_best(const LogMoves& moves, std::span<double> score, std::span<Speaker> came_from,
                  std::span<double> scratch) noexcept;

}  // namespace heed::hmm
