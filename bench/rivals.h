// SPDX-License-Identifier: MIT
// What heed's HMM is measured against: the textbook's scaled recursions with a full transition matrix, and
// the paper's Algorithm 1 in logarithms. Written plainly, without waste, given heed's own exponential in
// SIMD and this machine's instructions: their results agree with heed's.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>

#include <vector>

namespace heed::bench {

// Storage made once, as heed's workspaces are: only the recursions are compared.
class Rival {
 public:
  // Any chain; uniform at first.
  Rival(Index windows, const Matrix& transition);

  // Rabiner's scaled forward and forward-backward recursions; O(N^2) per window. They return the log-evidence.
  double textbook_filter(MatrixView log_likelihood, MutableMatrixView posterior);
  double textbook_smooth(MatrixView log_likelihood, MutableMatrixView posterior);
  // The same with so many windows of hindsight, each window by itself.
  double textbook_fixed_lag(MatrixView log_likelihood, Index lag, MutableMatrixView posterior);
  // The usual O(N^2) search in logarithms.
  void textbook_viterbi(MatrixView log_likelihood, std::vector<Speaker>& path);
  // Forward-backward and the expected number of transitions of each kind.
  double textbook_expectation(MatrixView log_likelihood, MutableMatrixView posterior);
  [[nodiscard]] const Matrix& expected_transitions() const { return pairs_; }

  // Log-sum-exp in every cell, un-normalised.
  double paper_filter(MatrixView log_likelihood, MutableMatrixView posterior);
  double paper_smooth(MatrixView log_likelihood, MutableMatrixView posterior);

 private:
  double weigh(MatrixView log_likelihood);
  void backward(Index windows);
  void retreat(Index t);
  double paper_forward(MatrixView log_likelihood);
  [[nodiscard]] double log_sum_exp() const;

  Matrix transition_;
  Matrix log_transition_;
  Matrix alpha_;
  Matrix beta_;
  Matrix likelihood_;
  Matrix pairs_;
  std::vector<double> scale_;
  std::vector<double> terms_;
  std::vector<Speaker> came_from_;
};

}  // namespace heed::bench
