// SPDX-License-Identifier: MIT
// Windows whose evidence is about the state before as well as the state now, as scores that repeat each other have it:
//   log b_ij = departing_i + arriving_j + stay [i = j] + common
// The recursion is the one of every other window: the belief absorbs what is said of the state it departs from, then
// advances on a chain that counts staying up (hop_chain.h). O(N) per window on a sticky chain.
#pragma once

#include <heed/hmm/chain.h>

#include <limits>
#include <span>
#include <vector>

#include "hmm/hop_chain.h"

namespace heed::hmm {

// Of one window given the last one that was observed; natural logarithms, all of them finite.
struct TransitionEvidence {
  std::span<const double> departing{};  // by the state at that window; empty: nothing is known of it
  std::span<const double> arriving{};   // by the state now
  double stay = 0;                      // where both are the same; at least 0
  double common = 0;                    // whatever they are
};

// Only the constructor allocates. Not thread-safe.
class TransitionStream {
 public:
  // lag: windows that can be looked back on.
  TransitionStream(const Chain& chain, Index lag);

  void step(const TransitionEvidence& evidence) noexcept;
  void hold() noexcept;  // a missing window

  [[nodiscard]] Index windows() const noexcept { return windows_; }
  // How many windows after the last observed one the next window is; 0 if none was observed.
  [[nodiscard]] Index hops() const noexcept { return observed_ == none ? 0 : windows_ - observed_; }
  [[nodiscard]] std::span<const double> belief() const noexcept { return belief_; }
  // log P(the last window | those before); 0 of a missing one.
  [[nodiscard]] double log_evidence() const noexcept { return log_evidence_; }

  // posterior_j <- P(attending j `age` windows ago | all windows so far). False, and nothing written, unless age is at
  // most the lag and there were so many windows.
  [[nodiscard]] bool look_back(Index age, std::span<double> posterior) noexcept;
  // The same of the last windows, one for each row, in one pass. Precondition: no more than there were, and than
  // lag + 1. `stays`, unless empty, gets P(state = state a window before | all windows) for each row, NaN where one of
  // the two was missing or lies before the rows.
  void look_back_on_last(MutableMatrixView posteriors, std::span<double> stays = {}) noexcept;

  void reset() noexcept;
  // As if the last window had left this belief and no score. It must be a distribution.
  void resume(std::span<const double> belief) noexcept;
  // As if the last window of another stream, of as many states, had been its own: the next one goes on from the last
  // that was observed there.
  void resume(const TransitionStream& other) noexcept;

 private:
  // What is kept of a window, N numbers in each row, in turn.
  struct Rows {
    std::vector<double> beliefs;
    std::vector<double> arriving;   // weights of the state now, up to scale
    std::vector<double> departing;  // weights of the state at the last observed window, up to scale
    std::vector<double> start;      // the belief there, after it absorbed them
  };
  // The windows whose posteriors are wanted.
  struct Wanted {
    Index first;
    Index last;
  };

  [[nodiscard]] std::size_t place(Index window) const noexcept { return static_cast<std::size_t>(window % (lag_ + 1)); }
  [[nodiscard]] std::span<double> row(std::vector<double>& rows, Index window) const noexcept;
  void keep(const Hop& hop) noexcept;
  template <typename Emit, typename Pair>
  void walk_back(const Wanted& wanted, const Emit& emit, const Pair& pair) noexcept;
  [[nodiscard]] double stayed(Index window, const HopChain::Weighed& weighed) const noexcept;

  static constexpr Index none = std::numeric_limits<Index>::min();

  HopChain chain_;
  Chain plain_;
  Index lag_;
  Index windows_ = 0;
  Index observed_ = none;  // the last window that was; below 0: of the stream that this one took over from
  double log_evidence_ = 0;
  std::vector<double> belief_;
  std::vector<double> anchor_;  // the belief at the last observed window
  std::vector<double> future_;
  std::vector<double> end_;
  std::vector<double> scratch_;
  std::vector<double> missing_;
  Rows rows_;
  std::vector<Hop> hops_;  // of 0 windows: missing, or the first that was observed
};

}  // namespace heed::hmm
