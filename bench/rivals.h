// SPDX-License-Identifier: MIT
// What heed's HMM is measured against: the textbook's scaled recursions with a full transition matrix, and
// the paper's Algorithm 1 in logarithms. Written plainly, without waste: their results agree with heed's.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>

#include <vector>

namespace heed::bench {

// Storage made once, as heed's workspaces are: only the recursions are compared.
class Rival {
 public:
  // A sticky chain, but nobody here makes use of that. Uniform at first.
  Rival(Index windows, Index states, double switch_probability);

  // All but Viterbi return the log-evidence.
  // Rabiner's scaled forward and forward-backward recursions on exponentiated likelihoods; O(N^2) a window.
  double textbook_filter(MatrixView log_likelihood, MutableMatrixView posterior);
  double textbook_smooth(MatrixView log_likelihood, MutableMatrixView posterior);
  // The usual O(N^2) search in logarithms.
  void textbook_viterbi(MatrixView log_likelihood, std::vector<Speaker>& path);

  // Log-sum-exp in every cell, un-normalised.
  double paper_filter(MatrixView log_likelihood, MutableMatrixView posterior);
  double paper_smooth(MatrixView log_likelihood, MutableMatrixView posterior);

 private:
  double paper_forward(MatrixView log_likelihood);
  [[nodiscard]] double log_sum_exp() const;

  Matrix transition_;
  Matrix log_transition_;
  Matrix alpha_;
  Matrix beta_;
  Matrix likelihood_;
  std::vector<double> terms_;
  std::vector<Speaker> came_from_;
};

}  // namespace heed::bench
