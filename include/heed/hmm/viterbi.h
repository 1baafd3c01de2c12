// SPDX-License-Identifier: MIT
// The most probable path of attention (the paper's Section II-D), its first window's evidence included, and the
// probability of any given path. Ties (to 1e-12): stay first, then the lowest index. O(N) per window on a sticky chain,
// no exponential anywhere.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <span>
#include <vector>

namespace heed::hmm {

// Storage of viterbi_into. One per thread.
class ViterbiWorkspace {
 public:
  ViterbiWorkspace() = default;
  ViterbiWorkspace(Index windows, Index states) { prepare(windows, states); }
  // Grows where needed; never shrinks. The only call that allocates.
  void prepare(Index windows, Index states);
  [[nodiscard]] bool fits(Index windows, Index states) const noexcept;

  // Missing windows of the last run.
  [[nodiscard]] Index held() const noexcept { return held_; }

 private:
  friend double viterbi_into(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                             std::span<Speaker> path) noexcept;
  friend double viterbi_plainly(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                                std::span<Speaker> path) noexcept;
  std::vector<double> scores_;  // of every window, from which the path is read at the end
  std::vector<Speaker> came_from_;
  std::vector<double> scratch_;
  Index held_ = 0;
};

Path viterbi(const Chain& chain, const LogLikelihoods& log_likelihoods);

// Writes one state per window and returns log P(path, all windows). Never allocates.
// Shapes that do not fit, or a workspace not prepared for them: NaN, nothing written.
double viterbi_into(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                    std::span<Speaker> path) noexcept;

// The probability of a given path (the paper's equations 1-3): of the path alone, of the path together with the
// windows, and of the path given the windows. For labels, for what a method decided, or for any other path. All are
// natural logarithms; -inf for what the chain or the windows rule out. They add over sequences.
struct PathProbability {
  double log_prior = 0;     // log P(path), equation (1)
  double log_joint = 0;     // log P(path, all windows), equations (2) and (3); Viterbi's path has the largest
  double log_evidence = 0;  // log P(all windows), the sum over all paths; as filter() has it
  Index held = 0;           // missing windows

  // log P(path | all windows)
  [[nodiscard]] double log_posterior() const noexcept { return log_joint - log_evidence; }

  PathProbability& operator+=(const PathProbability& other) noexcept;
};

// Where one of several chains holds for all sequences, equally likely beforehand: the mean of their probabilities.
// Precondition: there is one.
[[nodiscard]] PathProbability mean_of(std::span<const PathProbability> chains) noexcept;

// path: a state for each window. Where it is unknown_speaker every state will do: the probability is that of all paths
// which agree with the rest. O(N) per window on a sticky chain, O(1) where the state is known. Throws invalid_argument
// for a path of another length or with a state that does not exist.
[[nodiscard]] PathProbability path_probability(const Chain& chain, const LogLikelihoods& log_likelihoods,
                                               std::span<const Speaker> path);

}  // namespace heed::hmm
