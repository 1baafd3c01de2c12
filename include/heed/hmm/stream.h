// SPDX-License-Identifier: MIT
// Windows as they come, one at a time, on any chain: the causal posterior of the newest window and, with a lag, that
// of earlier ones in the light of what followed. Its rows are those of filter() and fixed_lag(), bit for bit.
// core::AttentionFilter and core::FixedLagFilter are the forms for a device: sticky chains, sizes fixed.
#pragma once

#include <heed/core/recursion.h>
#include <heed/hmm/chain.h>

#include <span>
#include <vector>

namespace heed::hmm {

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
