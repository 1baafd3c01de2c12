// SPDX-License-Identifier: MIT
// The causal posterior (the paper's Section II-B): row t = P(attending j | windows 0..t). The recursion
// is core's, so this equals core::AttentionFilter<double, N> bit for bit on a sticky chain.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <vector>

namespace heed::hmm {

// Storage of filter_into, for any number of windows. One a thread.
class FilterWorkspace {
 public:
  FilterWorkspace() = default;
  explicit FilterWorkspace(Index states) { prepare(states); }
  // Grows where needed; never shrinks. The only call that allocates.
  void prepare(Index states);
  [[nodiscard]] bool fits(Index states) const noexcept { return states <= states_; }

  // Missing windows of the last run.
  [[nodiscard]] Index held() const noexcept { return held_; }

 private:
  friend double filter_into(const Chain& chain, MatrixView log_likelihood, FilterWorkspace& workspace,
                            MutableMatrixView posterior) noexcept;
  friend double filter_plainly(const Chain& chain, MatrixView log_likelihood, FilterWorkspace& workspace,
                               MutableMatrixView posterior) noexcept;
  std::vector<double> storage_;
  Index states_ = 0;  // at most
  Index held_ = 0;
};

Posteriors filter(const Chain& chain, const LogLikelihoods& log_likelihoods);

// Writes the posterior (as large as log_likelihood, not overlapping it) and returns the log-evidence.
// Never allocates. Shapes that do not fit, or a workspace not prepared for them: NaN, nothing written.
double filter_into(const Chain& chain, MatrixView log_likelihood, FilterWorkspace& workspace,
                   MutableMatrixView posterior) noexcept;

}  // namespace heed::hmm
