// SPDX-License-Identifier: MIT
// The most probable path of attention (the paper's Section II-D), its first window's evidence included.
// Ties (to 1e-12): stay first, then the lowest index. O(N) a window on a sticky chain, no exponential anywhere.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <span>
#include <vector>

namespace heed::hmm {

// Storage of viterbi_into. One a thread.
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

// Writes one state a window and returns log P(path, all windows). Never allocates.
// Shapes that do not fit, or a workspace not prepared for them: NaN, nothing written.
double viterbi_into(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                    std::span<Speaker> path) noexcept;

}  // namespace heed::hmm
