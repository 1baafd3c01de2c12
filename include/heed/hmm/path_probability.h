// SPDX-License-Identifier: MIT
// The probability of a given path of attention (the paper's equations 1-3): of the path alone, of the path together
// with the windows, and of the path given the windows. For labels, for what a method decided, or for any other path.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <span>

namespace heed::hmm {

// Natural logarithms; -inf for what the chain or the windows rule out. They add over sequences.
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
// which agree with the rest. O(N) a window on a sticky chain, O(1) where the state is known. Throws invalid_argument
// for a path of another length or with a state that does not exist.
[[nodiscard]] PathProbability path_probability(const Chain& chain, const LogLikelihoods& log_likelihoods,
                                               std::span<const Speaker> path);

}  // namespace heed::hmm
