// SPDX-License-Identifier: MIT
// The causal posterior (the paper's Section II-B), of a whole trial or one window at a time: row t = P(attending j |
// windows 0..t). The recursion is core's, so this equals core::AttentionFilter<double, N> bit for bit on a sticky
// chain.
#pragma once

#include <heed/core/recursion.h>
#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <span>
#include <vector>

namespace heed::hmm {

// Storage of filter_into, for any number of windows. One per thread.
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

// Windows as they come, one at a time, on any chain: the causal posterior of the newest window and, with a lag, that
// of earlier ones in the light of what followed. Its rows are those of filter() and fixed_lag(), bit for bit.
// core::AttentionFilter and core::FixedLagFilter are the forms for a device: sticky chains, sizes fixed.

// Beyond it nobody waits; what is kept grows with the lag.
inline constexpr Index longest_stream_lag = 1'000'000;

// Only the constructor allocates. Not thread-safe: one per listener.
class Stream {
 public:
  // lag: windows that can be looked back on. Throws invalid_argument unless it lies in 0 ... longest_stream_lag.
  explicit Stream(Chain chain, Index lag = 0);

  // One natural logarithm for each state. A broken window (see LogLikelihoods) is held: predicted, not updated. Any
  // other number of them is Step::wrong_size: the stream stays as it is, and the window does not count.
  core::Step step(std::span<const double> log_likelihood) noexcept;

  [[nodiscard]] Index states() const noexcept { return chain_.states(); }
  [[nodiscard]] Index lag() const noexcept { return lag_; }
  // Since the start or reset().
  [[nodiscard]] Index windows() const noexcept { return windows_; }
  // P(attending j now | windows so far); before the first window the initial distribution.
  [[nodiscard]] std::span<const double> belief() const noexcept { return belief_; }

  // posterior_j <- P(attending j `age` windows ago | all windows so far). False, and nothing written, unless age is at
  // most lag(), there were so many windows, and posterior has states() entries.
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept;

  // Back to the initial distribution, as at the start of a trial.
  void reset() noexcept;
  // As if the last window had left this belief, whatever came before: for a stream that takes over from another. False,
  // and nothing changed, unless it is a distribution over the states.
  bool resume(std::span<const double> belief) noexcept;

 private:
  [[nodiscard]] std::span<double> kept(std::vector<double>& rows, Index window) const noexcept;

  Chain chain_;
  Index lag_;
  Index windows_ = 0;
  std::vector<double> belief_;
  std::vector<double> scratch_;
  std::vector<double> beliefs_;  // of the last lag + 1 windows, in turn
  std::vector<double> weights_;  // likewise: b_j up to the window's scale
};

}  // namespace heed::hmm
