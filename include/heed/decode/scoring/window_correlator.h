// SPDX-License-Identifier: MIT
// The windows of a trial, one after the other, as correlations by a rule: Pearson's, or the shrunk cosine
// (docs/decoding.md, Scores). A live session and a whole trial walk the same way, so they have the same bits.
#pragma once

#include <heed/data/decoding/score_rule.h>
#include <heed/decode/window_sums.h>

#include <vector>

namespace heed::decode {

// Throws invalid_argument for a shrinkage below 0 or a memory that is not above 0.
void check_rule(const ScoreRule& rule);

struct WindowShape {
  Index cells = 4;
  // Whether the pairs of a speaker are parts of one signal, as several targets of least squares are: their sums are
  // added (each part less its own mean, where means are taken off), and a speaker has one correlation.
  bool stacked = false;
};

class WindowCorrelator {
 public:
  // For samples that are still to come. Throws invalid_argument as check_rule does, and for a cosine without a memory,
  // whose powers are those of the whole trial.
  WindowCorrelator(const ScoreRule& rule, WindowShape shape);
  // For a whole trial.
  WindowCorrelator(const ScoreRule& rule, WindowShape shape, const CellSums& trial);

  // Of the next window, whose cells must be complete: speakers x pairs (x 1 if stacked), each within -1 ... 1. All NaN
  // if a sample of the window is missing; NaN where a signal does not vary (Pearson) or has no power at all (cosine).
  [[nodiscard]] Matrix next(const CellSums& cells);

 private:
  void learn_powers(const CellSums& cells);

  ScoreRule rule_;
  WindowShape shape_;
  Index next_cell_ = 0;
  std::vector<PairPowers> powers_{};   // what the cosine shrinks towards
  std::vector<PairPowers> squares_{};  // with a memory: sums that fade
  double samples_ = 0;                 // likewise
  std::vector<PairSums> sums_{};       // of the window
};

}  // namespace heed::decode
