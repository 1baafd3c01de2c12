// SPDX-License-Identifier: MIT
#include <core/exponential.h>
#include <heed/core/decision.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace heed::core {
namespace {

// The largest log-likelihood over reachable states; -inf: nothing to learn from this window.
template <std::floating_point Real>
Real largest_reachable(std::span<const Real> belief, std::span<const Real> log_likelihood) noexcept {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  Real largest = -infinity;
  bool broken = false;
  for (std::size_t j = 0; j < belief.size(); ++j) {
    const Real l = log_likelihood[j];
    broken |= !(l < infinity);  // NaN too
    if (belief[j] > 0 && l > largest) largest = l;
  }
  return broken ? -infinity : largest;
}

// belief_j holds what arrives at state j, weighed; turns it into a distribution.
template <std::floating_point Real>
Absorbed<Real> normalised(std::span<Real> belief, Real largest) noexcept {
  Real total = 0;
  for (const Real b : belief) total += b;
  for (Real& b : belief) b /= total;
  return {Step::updated, largest, total};
}

template <std::floating_point Real>
Absorbed<Real> absorb_window(std::span<Real> belief, std::span<const Real> log_likelihood,
                             std::span<Real> weights) noexcept {
  if (log_likelihood.size() != belief.size()) return {.step = Step::wrong_size};
  const Real largest = largest_reachable<Real>(belief, log_likelihood);
  if (largest == -std::numeric_limits<Real>::infinity()) {
    std::fill(weights.begin(), weights.end(), Real{1});
    return {};
  }
  for (std::size_t j = 0; j < belief.size(); ++j) {
    weights[j] = belief[j] > 0 ? exponential(log_likelihood[j] - largest) : Real{0};
    belief[j] *= weights[j];
  }
  return normalised(belief, largest);
}

// On a sticky chain every state is reachable, so the weights wait for nothing.
template <std::floating_point Real>
Absorbed<Real> weigh_window(std::span<const Real> log_likelihood, std::span<Real> weights) noexcept {
  if (log_likelihood.size() != weights.size()) return {.step = Step::wrong_size};
  std::fill(weights.begin(), weights.end(), Real{1});
  const Real largest = largest_reachable<Real>(weights, log_likelihood);
  if (largest == -std::numeric_limits<Real>::infinity()) return {};
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = exponential(log_likelihood[j] - largest);
  return {.step = Step::updated, .shift = largest};
}

// What the weights multiply is gathered so that only one product and one sum wait for the belief: (w kept) b + (w p).
template <std::floating_point Real>
Real advance_weighed(const StickyChain<Real>& chain, std::span<Real> belief, std::span<const Real> weights) noexcept {
  for (std::size_t j = 0; j < belief.size(); ++j) {
    belief[j] = ((weights[j] * chain.kept()) * belief[j]) + (weights[j] * chain.move());
  }
  return normalised(belief, Real{0}).normaliser;
}

template <std::floating_point Real>
Absorbed<Real> advance_window(const StickyChain<Real>& chain, std::span<Real> belief,
                              std::span<const Real> log_likelihood, std::span<Real> weights) noexcept {
  if (log_likelihood.size() != belief.size()) return {.step = Step::wrong_size};
  Absorbed<Real> absorbed = weigh_window<Real>(log_likelihood, weights);
  if (absorbed.step == Step::updated) {
    absorbed.normaliser = advance_weighed<Real>(chain, belief, weights);
  } else {
    chain.predict_normalised(belief);
  }
  return absorbed;
}

template <std::floating_point Real>
void normalise_values(std::span<Real> values) noexcept {
  Real total = 0;
  for (const Real v : values) total += v;
  if (!(total > 0)) return;
  for (Real& v : values) v /= total;
}

template <std::floating_point Real>
void retreat_window(const StickyChain<Real>& chain, std::span<Real> future, std::span<const Real> weights) noexcept {
  for (std::size_t j = 0; j < future.size(); ++j) future[j] *= weights[j];
  normalise_values(future);  // before predicting: a total near p would underflow when multiplied by p
  chain.predict(future);
}

}  // namespace

Absorbed<float> absorb(std::span<float> belief, std::span<const float> log_likelihood,
                       std::span<float> weights) noexcept {
  return absorb_window(belief, log_likelihood, weights);
}

Absorbed<double> absorb(std::span<double> belief, std::span<const double> log_likelihood,
                        std::span<double> weights) noexcept {
  return absorb_window(belief, log_likelihood, weights);
}

Absorbed<float> advance(const StickyChain<float>& chain, std::span<float> belief, std::span<const float> log_likelihood,
                        std::span<float> weights) noexcept {
  return advance_window(chain, belief, log_likelihood, weights);
}

Absorbed<double> advance(const StickyChain<double>& chain, std::span<double> belief,
                         std::span<const double> log_likelihood, std::span<double> weights) noexcept {
  return advance_window(chain, belief, log_likelihood, weights);
}

Absorbed<float> weigh(std::span<const float> log_likelihood, std::span<float> weights) noexcept {
  return weigh_window(log_likelihood, weights);
}

Absorbed<double> weigh(std::span<const double> log_likelihood, std::span<double> weights) noexcept {
  return weigh_window(log_likelihood, weights);
}

float advance_by(const StickyChain<float>& chain, std::span<float> belief, std::span<const float> weights) noexcept {
  return advance_weighed(chain, belief, weights);
}

double advance_by(const StickyChain<double>& chain, std::span<double> belief,
                  std::span<const double> weights) noexcept {
  return advance_weighed(chain, belief, weights);
}

void retreat(const StickyChain<float>& chain, std::span<float> future, std::span<const float> weights) noexcept {
  retreat_window(chain, future, weights);
}

void retreat(const StickyChain<double>& chain, std::span<double> future, std::span<const double> weights) noexcept {
  retreat_window(chain, future, weights);
}

void normalise(std::span<float> values) noexcept { normalise_values(values); }
void normalise(std::span<double> values) noexcept { normalise_values(values); }

// The templates that users are compiled against, once.
template class StickyChain<float>;
template class StickyChain<double>;
template class DecisionRule<float>;
template class DecisionRule<double>;

}  // namespace heed::core
