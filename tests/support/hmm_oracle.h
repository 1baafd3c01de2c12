// SPDX-License-Identifier: MIT
// Two oracles for the HMM engine that share no code with it: the paper's Algorithm 1 literally in
// logarithms (with its slips mended), and plain enumeration of every path in long double.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>

#include <vector>

namespace heed::test {

// A chain as the textbook writes it; row = from.
struct PlainChain {
  Matrix transition;
  std::vector<double> initial;
};

PlainChain plain_sticky_chain(Index states, double switch_probability);

struct PaperPosteriors {
  Matrix causal;
  Matrix smooth;
  double log_evidence = 0;
};
// Every window observed: no NaN, no +inf, not all -inf.
PaperPosteriors paper_algorithm(const PlainChain& chain, const Matrix& log_likelihood);

struct Enumeration {
  std::vector<Matrix> given;  // given[m](t, j) = P(S_t = j | windows 0..m), t <= m
  Matrix pairs;               // expected number of transitions from, to
  double log_evidence = 0;
  double best = 0;       // log P(path, windows) of the best path
  double runner_up = 0;  // and of the next best
  std::vector<Speaker> best_path;
  Index held = 0;
};
// N^T paths: keep both small. Missing windows count as b = 1.
Enumeration enumerate_paths(const PlainChain& chain, const Matrix& log_likelihood);

}  // namespace heed::test
