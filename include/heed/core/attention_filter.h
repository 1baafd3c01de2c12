// SPDX-License-Identifier: MIT
// The causal attention tracker (the paper's Section II-B), one window at a time: after k steps
// belief()[j] = P(attending j | windows 1..k). No allocation, no lock, nothing to fail in step().
// Not thread-safe: one filter a listener.
#pragma once

#include <heed/core/decision.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

namespace heed::core {

template <std::floating_point Real, std::size_t MaxStates>
class AttentionFilter {
 public:
  // Nothing if the chain has more than MaxStates states, or `initial` is not a distribution over them.
  // Without `initial` every speaker is equally likely at first.
  static constexpr std::optional<AttentionFilter> make(const StickyChain<Real>& chain,
                                                       std::span<const Real> initial = {}) noexcept {
    if (chain.states() > MaxStates) return std::nullopt;
    AttentionFilter filter(chain);
    const std::span<Real> start{filter.initial_.data(), chain.states()};
    if (!initial.empty() && !take_distribution(initial, start)) return std::nullopt;
    filter.reset();
    return filter;
  }

  // log_likelihood: one natural logarithm for each state. A broken window (NaN, +inf, all -inf) is held: attention
  // may have moved, but nothing was learnt. Any other number of them is Step::wrong_size, and the filter stays as it
  // is.
  Step step(std::span<const Real> log_likelihood) noexcept {
    const auto absorbed = started_ ? advance(chain_, mutable_belief(), log_likelihood, scratch())
                                   : absorb(mutable_belief(), log_likelihood, scratch());
    if (absorbed.step == Step::wrong_size) return absorbed.step;
    started_ = true;
    decided_ = rule_.decide(belief());
    return absorbed.step;
  }

  [[nodiscard]] std::size_t states() const noexcept { return chain_.states(); }
  [[nodiscard]] std::span<const Real> belief() const noexcept { return {belief_.data(), states()}; }
  // b_j of the last window up to its scale; all ones if it was held.
  [[nodiscard]] std::span<const Real> weights() const noexcept { return {weights_.data(), states()}; }
  [[nodiscard]] std::size_t decision() const noexcept { return decided_; }

  // Back to the initial distribution, as at the start of a trial.
  constexpr void reset() noexcept {
    belief_ = initial_;
    started_ = false;
    rule_.reset();
    decided_ = 0;
  }

 private:
  constexpr explicit AttentionFilter(const StickyChain<Real>& chain) noexcept : chain_(chain) {
    std::fill_n(initial_.begin(), chain.states(), Real{1} / static_cast<Real>(chain.states()));
  }

  std::span<Real> mutable_belief() noexcept { return {belief_.data(), states()}; }
  std::span<Real> scratch() noexcept { return {weights_.data(), states()}; }

  StickyChain<Real> chain_;
  std::array<Real, MaxStates> initial_{};
  std::array<Real, MaxStates> belief_{};
  std::array<Real, MaxStates> weights_{};
  DecisionRule<Real> rule_;
  std::size_t decided_ = 0;
  bool started_ = false;
};

}  // namespace heed::core
