// SPDX-License-Identifier: MIT
// The causal tracker for a listener whose switch probability p nobody knows: several filters, each with a p of its own,
// weighed by how well they predict the windows (docs/mathematics.md). belief() is exact for an unknown p that is one of
// them; switch_posterior() tells which. One exponential per speaker and window serves all. As AttentionFilter: no
// allocation, no lock, nothing to fail in step(), not thread-safe.
#pragma once

#include <heed/core/decision.h>
#include <heed/core/recursion.h>
#include <heed/core/sticky_chain.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace heed::core {

// The posterior weight of one filter: value, if scale is 0. A weight that is next to nothing is value x unit^-scale with
// a negative scale, so that a filter which has long been wrong can come back. Nothing is lost, and no logarithm taken.
template <std::floating_point Real>
struct BankWeight {
  Real value = 0;
  int scale = 0;  // never above 0

  // A power of two: multiplying by it is exact.
  static constexpr Real unit = std::numeric_limits<Real>::max_exponent > 200 ? Real(0x1p+512) : Real(0x1p+64F);
  [[nodiscard]] constexpr Real probability() const noexcept { return scale == 0 ? value : Real{0}; }
  friend bool operator==(const BankWeight&, const BankWeight&) = default;
};

// The smallest p of a bank: a window cannot make a weight vanish.
template <std::floating_point Real>
inline constexpr Real smallest_bank_probability = 1 / BankWeight<Real>::unit * 16;

// The state of G filters over N speakers, all of it the caller's.
template <std::floating_point Real>
struct BankView {
  std::span<const StickyChain<Real>> chains;  // G
  std::span<Real> beliefs;                    // G x N, filter by filter
  std::span<BankWeight<Real>> weights;        // G; those of scale 0 sum to one
  std::span<Real> likelihoods;                // N: b_j of the window up to its scale, as absorb() and advance() write it
};

// The first window, which every filter absorbs alike from its initial distribution, and every other. The normaliser is
// that of all filters together. A held window leaves the weights as they are.
Absorbed<float> absorb(const BankView<float>& bank, std::span<const float> log_likelihood) noexcept;
Absorbed<double> absorb(const BankView<double>& bank, std::span<const double> log_likelihood) noexcept;
Absorbed<float> advance(const BankView<float>& bank, std::span<const float> log_likelihood) noexcept;
Absorbed<double> advance(const BankView<double>& bank, std::span<const double> log_likelihood) noexcept;

// posterior_j <- sum over filters of probabilities_g beliefs_gj.
void mix(std::span<const float> beliefs, std::span<const float> probabilities, std::span<float> posterior) noexcept;
void mix(std::span<const double> beliefs, std::span<const double> probabilities, std::span<double> posterior) noexcept;

template <std::floating_point Real, std::size_t MaxStates, std::size_t MaxBank>
class BankFilter {
 public:
  // switch_probabilities: per window and target, one for each filter; before the first window all are equally likely.
  // Nothing unless there are 1 to MaxBank of them, each at most 1/states and not below smallest_bank_probability, and
  // 2 to MaxStates states; nor if `initial` is not a distribution over them (uniform where there is none).
  static constexpr std::optional<BankFilter> make(std::size_t states, std::span<const Real> switch_probabilities,
                                                  std::span<const Real> initial = {}) noexcept {
    if (states > MaxStates || switch_probabilities.empty() || switch_probabilities.size() > MaxBank) {
      return std::nullopt;
    }
    const auto first = StickyChain<Real>::make(states, switch_probabilities.front());
    if (!first) return std::nullopt;
    BankFilter filter(*first, switch_probabilities.size(), std::make_index_sequence<MaxBank>{});
    for (std::size_t g = 0; g < switch_probabilities.size(); ++g) {
      const auto chain = StickyChain<Real>::make(states, switch_probabilities[g]);
      if (!chain || switch_probabilities[g] < smallest_bank_probability<Real>) return std::nullopt;
      filter.chains_[g] = *chain;
      filter.switch_probabilities_[g] = switch_probabilities[g];
    }
    if (!initial.empty() && !take_distribution(initial, std::span(filter.initial_.data(), states))) return std::nullopt;
    filter.forget();
    return filter;
  }

  // As AttentionFilter's.
  Step step(std::span<const Real> log_likelihood) noexcept {
    const auto absorbed = started_ ? advance(view(), log_likelihood) : absorb(view(), log_likelihood);
    if (absorbed.step == Step::wrong_size) return absorbed.step;
    started_ = true;
    show();
    decided_ = rule_.decide(belief());
    return absorbed.step;
  }

  [[nodiscard]] std::size_t states() const noexcept { return chains_.front().states(); }
  [[nodiscard]] std::span<const Real> belief() const noexcept { return {belief_.data(), states()}; }
  [[nodiscard]] std::size_t decision() const noexcept { return decided_; }
  [[nodiscard]] std::span<const Real> switch_probabilities() const noexcept {
    return {switch_probabilities_.data(), size_};
  }
  // P(p is switch_probabilities()[g] | windows so far): how often this listener switches.
  [[nodiscard]] std::span<const Real> switch_posterior() const noexcept { return {posterior_.data(), size_}; }

  // Back to the initial distribution, as at the start of a trial. What was learnt of p stays.
  constexpr void reset() noexcept {
    for (std::size_t g = 0; g < size_; ++g) {
      std::copy_n(initial_.begin(), states(), beliefs_.begin() + static_cast<std::ptrdiff_t>(g * states()));
    }
    std::copy_n(initial_.begin(), states(), belief_.begin());
    started_ = false;
    rule_.reset();
    decided_ = 0;
  }
  // Another listener: nothing is known of p, either.
  constexpr void forget() noexcept {
    for (std::size_t g = 0; g < size_; ++g) {
      weights_[g] = {.value = Real{1} / static_cast<Real>(size_)};
      posterior_[g] = weights_[g].value;
    }
    reset();
  }

 private:
  template <std::size_t... Place>
  constexpr BankFilter(const StickyChain<Real>& chain, std::size_t size, std::index_sequence<Place...>) noexcept
      : size_(size), chains_{((void)Place, chain)...} {
    std::fill_n(initial_.begin(), chain.states(), Real{1} / static_cast<Real>(chain.states()));
  }

  BankView<Real> view() noexcept {
    return {.chains = {chains_.data(), size_},
            .beliefs = {beliefs_.data(), size_ * states()},
            .weights = {weights_.data(), size_},
            .likelihoods = {likelihoods_.data(), states()}};
  }
  void show() noexcept {
    for (std::size_t g = 0; g < size_; ++g) posterior_[g] = weights_[g].probability();
    mix(std::span<const Real>(beliefs_.data(), size_ * states()), switch_posterior(),
        std::span<Real>(belief_.data(), states()));
  }

  std::size_t size_;
  std::array<StickyChain<Real>, MaxBank> chains_;
  std::array<Real, MaxBank> switch_probabilities_{};
  std::array<BankWeight<Real>, MaxBank> weights_{};
  std::array<Real, MaxBank> posterior_{};
  std::array<Real, MaxStates> initial_{};
  std::array<Real, MaxBank * MaxStates> beliefs_{};
  std::array<Real, MaxStates> belief_{};
  std::array<Real, MaxStates> likelihoods_{};
  DecisionRule<Real> rule_;
  std::size_t decided_ = 0;
  bool started_ = false;
};

}  // namespace heed::core
