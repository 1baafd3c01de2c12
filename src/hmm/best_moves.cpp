// SPDX-License-Identifier: MIT
#include "hmm/best_moves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace heed::hmm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double log_transition(const LogMoves& moves, std::size_t from, std::size_t to) noexcept {
  return moves.general(static_cast<Index>(from), static_cast<Index>(to));
}

// The largest log-likelihood over states that a path reaches; -inf: the window is missing.
double largest_reachable(std::span<const double> score, std::span<const double> log_likelihood) noexcept {
  double largest = -infinity;
  for (std::size_t j = 0; j < score.size(); ++j) {
    if (!(log_likelihood[j] < infinity)) return -infinity;  // NaN too
    if (score[j] > -infinity) largest = std::max(largest, log_likelihood[j]);
  }
  return largest;
}

std::size_t best_before_general(const LogMoves& moves, std::span<const double> score, std::size_t j) noexcept {
  double highest = -infinity;
  for (std::size_t i = 0; i < score.size(); ++i) highest = std::max(highest, score[i] + log_transition(moves, i, j));
  if (score[j] + log_transition(moves, j, j) >= highest - viterbi_tie) return j;
  std::size_t lowest = 0;
  while (score[lowest] + log_transition(moves, lowest, j) < highest - viterbi_tie) ++lowest;
  return lowest;
}

// Staying is at least as likely as any one move, so whoever moves comes from the best state of all.
bool leaves(const LogMoves& moves, double score, double best) noexcept {
  return best + moves.move > score + moves.stay + viterbi_tie;
}

void predict_sticky(const LogMoves& moves, std::span<double> score, std::span<Speaker> came_from) noexcept {
  const std::size_t best = lowest_best(score);
  const double highest = score[best];
  for (std::size_t j = 0; j < score.size(); ++j) {
    const bool moved = j != best && leaves(moves, score[j], highest);
    came_from[j] = static_cast<Speaker>(moved ? best : j);
    score[j] = moved ? highest + moves.move : score[j] + moves.stay;
  }
}

}  // namespace

std::size_t lowest_best(std::span<const double> score) noexcept {
  const double enough = std::ranges::max(score) - viterbi_tie;
  return static_cast<std::size_t>(std::ranges::find_if(score, [=](double s) { return s >= enough; }) - score.begin());
}

PathEvidence absorb_best(std::span<double> score, std::span<const double> log_likelihood) noexcept {
  const double largest = largest_reachable(score, log_likelihood);
  const bool held = largest == -infinity;
  if (!held) {
    for (std::size_t j = 0; j < score.size(); ++j) score[j] += log_likelihood[j] - largest;
  }
  const double best = std::ranges::max(score);
  for (double& s : score) s -= best;
  return {.log_probability = held ? best : largest + best, .held = held ? 1 : 0};
}

std::size_t best_before(const LogMoves& moves, std::span<const double> score, std::size_t j) noexcept {
  if (moves.general.rows > 0) return best_before_general(moves, score, j);
  const std::size_t best = lowest_best(score);
  return leaves(moves, score[j], score[best]) ? best : j;
}

LogMoves LogMoves::of(const Chain& chain) noexcept {
  const auto* sticky = chain.as_sticky();
  if (sticky == nullptr) return {.general = chain.log_general()};
  return {.stay = std::log(sticky->stay()), .move = std::log(sticky->move())};
}

void predict_best(const LogMoves& moves, std::span<double> score, std::span<Speaker> came_from,
                  std::span<double> scratch) noexcept {
  if (moves.general.rows == 0) return predict_sticky(moves, score, came_from);
  for (std::size_t j = 0; j < score.size(); ++j) {
    const std::size_t best = best_before_general(moves, score, j);
    came_from[j] = static_cast<Speaker>(best);
    scratch[j] = score[best] + log_transition(moves, best, j);
  }
  std::ranges::copy(scratch, score.begin());
}

}  // namespace heed::hmm
