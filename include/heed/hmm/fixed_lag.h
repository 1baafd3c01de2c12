// SPDX-License-Identifier: MIT
// Attention with a little hindsight: row t = P(attending j | windows 0..t+L), or to the end where fewer follow.
// L = 0 is the causal filter, L >= T the smoother. O(L) per window but for the last L, which share one pass.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/smooth.h>

namespace heed::hmm {

// Longer waits decide better and later: the wait counts in latency-inclusive switch times.
inline constexpr Seconds default_lag{5};

// Whole windows that cover the lag: rounded up, but for what rounding errors below 1e-9 of a window make.
// Throws invalid_argument unless lag >= 0 and window > 0, both finite.
Index lag_in_windows(Seconds lag, Seconds window);

Posteriors fixed_lag(const Chain& chain, const LogLikelihoods& log_likelihoods, Seconds lag = default_lag);

struct LaggedView {
  MatrixView log_likelihood;
  Index lag = 0;  // in windows; below 0 counts as 0
};

// Writes the posterior (as large as the log-likelihoods, not overlapping them) and returns the log-evidence.
// Never allocates. Shapes that do not fit, or a workspace not prepared for them: NaN, nothing written.
double fixed_lag_into(const Chain& chain, const LaggedView& windows, SmoothWorkspace& workspace,
                      MutableMatrixView posterior) noexcept;

// The same in steps, for whoever may want to stop in between: a long lag is long work.
class FixedLagRun {
 public:
  // The forward pass. Everything given must outlive the run, and the workspace serves nobody else meanwhile.
  FixedLagRun(const Chain& chain, const LaggedView& windows, SmoothWorkspace& workspace,
              MutableMatrixView posterior) noexcept;

  // Makes the next rows final, `windows` of them at most, but for the last ones, which come together. False once all
  // are. Rows that are not hold the causal posterior.
  bool look_back(Index windows) noexcept;
  [[nodiscard]] double log_evidence() const noexcept { return log_evidence_; }

 private:
  [[nodiscard]] bool looks_ahead_by_kernels() const noexcept;

  const Chain& chain_;
  SmoothWorkspace& workspace_;
  MutableMatrixView posterior_;
  Index lag_ = 0;
  Index next_ = 0;  // row that is not final yet
  double log_evidence_;
};

}  // namespace heed::hmm
