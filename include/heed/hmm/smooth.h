// SPDX-License-Identifier: MIT
// The forward-backward posterior (the paper's Section II-C and Algorithm 1): row t = P(attending j | all
// windows). Scaled, not in logarithms: one exponential a score, made in the forward pass, serves both passes.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <vector>

namespace heed::hmm {

class SmoothStorage;  // of the library's inside: how the passes see a workspace

// Storage of every algorithm that looks back: smooth, fixed lag, E-step. One per thread.
class SmoothWorkspace {
 public:
  SmoothWorkspace() = default;
  SmoothWorkspace(Index windows, Index states) { prepare(windows, states); }
  // Grows where needed; never shrinks. Only these calls allocate.
  void prepare(Index windows, Index states);
  // For smooth_into of this chain alone, which may need far less than any chain and algorithm do.
  void prepare_for(const Chain& chain, Index windows);
  // For smooth_batch_into too: room to smooth several sequences of two, three or four states side by side, some
  // 200, 400 or 500 bytes a window of the longest. Without it the batch goes sequence by sequence.
  void prepare_batch(Index longest, Index states);
  [[nodiscard]] bool fits(Index windows, Index states) const noexcept;

  // Missing windows of the last run.
  [[nodiscard]] Index held() const noexcept { return held_; }

 private:
  friend class SmoothStorage;
  std::vector<double> weights_;
  std::vector<double> future_;
  std::vector<double> scratch_;
  std::vector<double> side_by_side_;
  Index held_ = 0;
};

Posteriors smooth(const Chain& chain, const LogLikelihoods& log_likelihoods);

// Writes the posterior (as large as log_likelihood, not overlapping it) and returns the log-evidence.
// Never allocates. Shapes that do not fit, or a workspace not prepared for them: NaN, nothing written.
double smooth_into(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                   MutableMatrixView posterior) noexcept;

}  // namespace heed::hmm
