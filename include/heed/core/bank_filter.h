// SPDX-License-Identifier: MIT
// The causal tracker for a listener whose switch probability p nobody knows: several filters, each with a p of its own,
// weighed by how well they predict the windows (docs/mathematics.md). belief() is exact for an unknown p that is one of
// them; switch_posterior() tells which. One exponential per speaker and window serves all. As AttentionFilter: no
// allocation, no lock, nothing to fail in step(), not thread-safe.
#pragma once

#include <heed/core/decision.h>
#include <heed/core/recursion.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace heed::core {

// A weight that is next to nothing is kept times a power of this, as `scale` counts: a filter that has long been wrong
// can come back, nothing is lost, and no logarithm is taken. A power of two: multiplying by it is exact.
template <std::floating_point Real>
inline constexpr Real bank_weight_unit = std::numeric_limits<Real>::max_exponent > 200 ? Real(0x1p+512)
                                                                                       : Real(0x1p+64F);
// The smallest p of a bank: a window cannot make a weight vanish.
template <std::floating_point Real>
inline constexpr Real smallest_bank_probability = 16 / bank_weight_unit<Real>;

// G sticky chains of as many states.
template <std::floating_point Real>
struct BankChains {
  std::span<const Real> moves;  // p of each
  std::span<const Real> kept;   // 1 - Np, as StickyChain has it
  [[nodiscard]] std::size_t size() const noexcept { return moves.size(); }
};

// The state of G filters over N speakers, all of it the caller's.
template <std::floating_point Real>
struct BankView {
  BankChains<Real> chains;
  std::span<Real> beliefs;      // N x G, speaker by speaker
  std::span<Real> weights;      // G; those of scale 0 are probabilities and sum to one
  std::span<int> scales;        // G, never above 0; below it the filter's probability is as good as 0
  std::span<Real> likelihoods;  // N: b_j of the window up to its scale, written here
  std::span<Real> scratch;      // G
};

// The first window, which every filter absorbs alike, and every other. The normaliser is that of all filters together.
// A held window leaves the weights as they are.
Absorbed<float> absorb(const BankView<float>& bank, std::span<const float> initial,
                       std::span<const float> log_likelihood) noexcept;
Absorbed<double> absorb(const BankView<double>& bank, std::span<const double> initial,
                        std::span<const double> log_likelihood) noexcept;
Absorbed<float> advance(const BankView<float>& bank, std::span<const float> log_likelihood) noexcept;
Absorbed<double> advance(const BankView<double>& bank, std::span<const double> log_likelihood) noexcept;
// advance() by likelihoods that weigh() has written: of a window that is not held, and of one that is. Returns the
// normaliser.
double advance_by(const BankView<double>& bank) noexcept;
void hold(const BankView<double>& bank) noexcept;

// weights: those of filters times what each says of some windows. Makes them probabilities again and returns their sum,
// which is what all filters say together.
double normalise_weights(std::span<double> weights, std::span<int> scales) noexcept;

// One step back, and what is known of earlier windows with what is known of later ones; rows are N x G as beliefs are.
void retreat(const BankChains<double>& chains, std::span<double> future, std::span<const double> likelihoods,
             std::span<double> scratch) noexcept;
void combine(std::span<double> beliefs, std::span<const double> future, std::span<double> scratch) noexcept;

// posterior_j <- sum over filters of probabilities_g beliefs_jg.
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
    const std::size_t size = switch_probabilities.size();
    if (states > MaxStates || size == 0 || size > MaxBank) return std::nullopt;
    BankFilter filter(states, size);
    for (std::size_t g = 0; g < size; ++g) {
      const auto chain = StickyChain<Real>::make(states, switch_probabilities[g]);
      if (!chain || chain->move() < smallest_bank_probability<Real>) return std::nullopt;
      filter.moves_[g] = chain->move();
      filter.kept_[g] = chain->kept();
    }
    const std::span<Real> start{filter.initial_.data(), states};
    if (!initial.empty() && !take_distribution(initial, start)) return std::nullopt;
    filter.forget();
    return filter;
  }

  // As AttentionFilter's.
  Step step(std::span<const Real> log_likelihood) noexcept {
    const std::span<const Real> initial{initial_.data(), states_};
    const auto absorbed = started_ ? advance(view(), log_likelihood) : absorb(view(), initial, log_likelihood);
    if (absorbed.step == Step::wrong_size) return absorbed.step;
    started_ = true;
    for (std::size_t g = 0; g < size_; ++g) posterior_[g] = scales_[g] == 0 ? weights_[g] : Real{0};
    const std::span<const Real> beliefs{beliefs_.data(), size_ * states_};
    mix(beliefs, switch_posterior(), std::span<Real>{belief_.data(), states_});
    decided_ = rule_.decide(belief());
    return absorbed.step;
  }

  [[nodiscard]] std::size_t states() const noexcept { return states_; }
  [[nodiscard]] std::span<const Real> belief() const noexcept { return {belief_.data(), states_}; }
  [[nodiscard]] std::size_t decision() const noexcept { return decided_; }
  [[nodiscard]] std::span<const Real> switch_probabilities() const noexcept { return {moves_.data(), size_}; }
  // P(p is switch_probabilities()[g] | windows so far): how often this listener switches.
  [[nodiscard]] std::span<const Real> switch_posterior() const noexcept { return {posterior_.data(), size_}; }

  // Back to the initial distribution, as at the start of a trial. What was learnt of p stays.
  constexpr void reset() noexcept {
    belief_ = initial_;
    started_ = false;
    rule_.reset();
    decided_ = 0;
  }
  // Another listener: nothing is known of p, either.
  constexpr void forget() noexcept {
    std::fill_n(weights_.begin(), size_, Real{1} / static_cast<Real>(size_));
    scales_.fill(0);
    posterior_ = weights_;
    reset();
  }

 private:
  constexpr BankFilter(std::size_t states, std::size_t size) noexcept : states_(states), size_(size) {
    std::fill_n(initial_.begin(), states, Real{1} / static_cast<Real>(states));
  }

  BankView<Real> view() noexcept {
    return {.chains = {.moves = {moves_.data(), size_}, .kept = {kept_.data(), size_}},
            .beliefs = {beliefs_.data(), size_ * states_},
            .weights = {weights_.data(), size_},
            .scales = {scales_.data(), size_},
            .likelihoods = {likelihoods_.data(), states_},
            .scratch = {scratch_.data(), size_}};
  }

  std::size_t states_;
  std::size_t size_;
  std::array<Real, MaxBank> moves_{};
  std::array<Real, MaxBank> kept_{};
  std::array<Real, MaxBank> weights_{};
  std::array<int, MaxBank> scales_{};
  std::array<Real, MaxBank> posterior_{};
  std::array<Real, MaxBank> scratch_{};
  std::array<Real, MaxStates> initial_{};
  std::array<Real, MaxBank * MaxStates> beliefs_{};
  std::array<Real, MaxStates> belief_{};
  std::array<Real, MaxStates> likelihoods_{};
  DecisionRule<Real> rule_;
  std::size_t decided_ = 0;
  bool started_ = false;
};

}  // namespace heed::core
