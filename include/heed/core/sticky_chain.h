// SPDX-License-Identifier: MIT
// The paper's Markov chain of attention (its Fig. 1): every speaker is alike, attention stays with
// probability 1 - (N-1)p and moves to each other speaker with probability p. One step costs O(N).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

namespace heed::core {

template <std::floating_point Real>
class StickyChain {
 public:
  // Nothing unless states >= 2 and 0 < p <= 1/N. p is per target: the hazard of leaving is (N-1)p.
  static constexpr std::optional<StickyChain> make(std::size_t states, Real switch_probability) noexcept {
    if (states < 2) return std::nullopt;
    if (!(switch_probability > 0) || !(switch_probability <= Real{1} / static_cast<Real>(states))) return std::nullopt;
    return StickyChain(states, switch_probability);
  }

  [[nodiscard]] constexpr std::size_t states() const noexcept { return states_; }
  [[nodiscard]] constexpr Real move() const noexcept { return move_; }  // p
  [[nodiscard]] constexpr Real stay() const noexcept { return 1 - (static_cast<Real>(states_ - 1) * move_); }

  [[nodiscard]] constexpr Real kept() const noexcept { return kept_; }  // 1 - Np, never below 0

  // belief <- A' belief, by sum_i a_i A_ij = (1 - Np) a_j + p sum_i a_i. The matrix is symmetric, so
  // this is also the backward step. belief has states() entries; it need not sum to one.
  constexpr void predict(std::span<Real> belief) const noexcept {
    Real total = 0;
    for (const Real b : belief) total += b;
    const Real arriving = move_ * total;
    for (Real& b : belief) b = (kept_ * b) + arriving;
  }

  // The same where belief sums to one: what arrives everywhere is p, and no sum is waited for.
  constexpr void predict_normalised(std::span<Real> belief) const noexcept {
    for (Real& b : belief) b = (kept_ * b) + move_;
  }

 private:
  constexpr StickyChain(std::size_t states, Real switch_probability) noexcept
      : states_(states),
        move_(switch_probability),
        kept_(std::max(Real{0}, 1 - (static_cast<Real>(states) * switch_probability))) {}

  std::size_t states_;
  Real move_;  // p
  Real kept_;  // 1 - Np, what is left of a belief beside the part that every state receives
};

extern template class StickyChain<float>;
extern template class StickyChain<double>;

}  // namespace heed::core
