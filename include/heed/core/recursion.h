// SPDX-License-Identifier: MIT
// The one causal recursion of heed: predict with the chain, absorb a window's evidence. Offline, live
// and in a hearing aid these compiled functions run, so the results agree bit for bit.
// Scaled form of the paper's forward algorithm (eqs. 7-10): the window's largest log-likelihood is
// subtracted, so nothing under- or overflows and nothing drifts.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

namespace heed::core {

// The paper's Markov chain of attention (its Fig. 1): every speaker is alike, attention stays with
// probability 1 - (N-1)p and moves to each other speaker with probability p. One step costs O(N).
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

enum class Step : unsigned char {
  updated,
  held,        // the window was missing: predicted, not updated
  wrong_size,  // not one log-likelihood for each state, a mistake of the caller's: nothing happened at all
};

// log P(window | windows before) = shift + log(normaliser); 0 + log(1) for a held window.
template <std::floating_point Real>
struct Absorbed {
  Step step = Step::held;
  Real shift = 0;
  Real normaliser = 1;
};

// belief_j <- belief_j b_j / sum. The spans do not overlap; weights is as long as belief.
// Writes b_j up to the window's scale into `weights`: 1 for all if held, 0 for unreachable states
// (belief 0), so that a backward pass can use them as they are.
// Held: NaN or +inf anywhere, or -inf for every reachable state. Wrong size: nothing is written.
Absorbed<float> absorb(std::span<float> belief, std::span<const float> log_likelihood,
                       std::span<float> weights) noexcept;
Absorbed<double> absorb(std::span<double> belief, std::span<const double> log_likelihood,
                        std::span<double> weights) noexcept;

// Predict, then absorb: every window but the first, which absorbs into the initial distribution.
// belief sums to one, as absorb() and a held advance() leave it.
Absorbed<float> advance(const StickyChain<float>& chain, std::span<float> belief, std::span<const float> log_likelihood,
                        std::span<float> weights) noexcept;
Absorbed<double> advance(const StickyChain<double>& chain, std::span<double> belief,
                         std::span<const double> log_likelihood, std::span<double> weights) noexcept;

// advance() in two steps, for several chains over the same windows: the exponentials are computed once.
// weights_j <- b_j up to the window's scale, 1 for all if the window is held; the normaliser stays 1.
Absorbed<float> weigh(std::span<const float> log_likelihood, std::span<float> weights) noexcept;
Absorbed<double> weigh(std::span<const double> log_likelihood, std::span<double> weights) noexcept;
// Predict, then take in the weights of a window that is not held. Returns the normaliser.
float advance_by(const StickyChain<float>& chain, std::span<float> belief, std::span<const float> weights) noexcept;
double advance_by(const StickyChain<double>& chain, std::span<double> belief, std::span<const double> weights) noexcept;

// One step back (the paper's eq. for beta): future <- A (weights of the later window x future), scaled to sum one.
// The chain is symmetric, so A' = A.
void retreat(const StickyChain<float>& chain, std::span<float> future, std::span<const float> weights) noexcept;
void retreat(const StickyChain<double>& chain, std::span<double> future, std::span<const double> weights) noexcept;

// to <- from, scaled to sum one. False, and nothing written, unless `from` is a distribution over as many states.
template <std::floating_point Real>
constexpr bool take_distribution(std::span<const Real> from, std::span<Real> to) noexcept {
  if (from.size() != to.size()) return false;
  Real total = 0;
  for (const Real probability : from) {
    if (!(probability >= 0)) return false;
    total += probability;
  }
  if (!(total > Real(0.999) && total < Real(1.001))) return false;
  for (std::size_t j = 0; j < from.size(); ++j) to[j] = from[j] / total;
  return true;
}

// values <- values / sum. Nothing happens if the sum is 0.
void normalise(std::span<float> values) noexcept;
void normalise(std::span<double> values) noexcept;

}  // namespace heed::core
