// SPDX-License-Identifier: MIT
// The recursion for a bank of filters: the operations of recursion.cpp in their order, so that each filter has the bits
// it has alone, but every one of them for all filters before the next, in as many lanes as the machine has.
#include <heed/core/bank_filter.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace heed::core {
namespace {

// Calls work(number of filters), as a constant where it is the usual one: the loops over filters are then unrolled.
template <typename Work>
auto for_filters(std::size_t count, Work work) noexcept {
  constexpr std::size_t usual = 7;
  return count == usual ? work(std::integral_constant<std::size_t, usual>{}) : work(count);
}

// Storage that nothing else refers to meanwhile, so that lanes need not wait for each other.
template <typename Number>
using Alone = Number* __restrict;

// rows: states x filters. totals_g <- the sum over states, then each filter's column is divided by it.
template <std::floating_point Real, typename Count>
void normalise_filters(Alone<Real> rows, std::size_t states, Alone<Real> totals, Count filters) noexcept {
  for (std::size_t g = 0; g < filters; ++g) totals[g] = 0;
  for (std::size_t j = 0; j < states; ++j) {
    for (std::size_t g = 0; g < filters; ++g) totals[g] += rows[(j * filters) + g];
  }
  for (std::size_t j = 0; j < states; ++j) {
    for (std::size_t g = 0; g < filters; ++g) rows[(j * filters) + g] /= totals[g];
  }
}

template <std::floating_point Real>
Absorbed<Real> absorb_together(const BankView<Real>& bank, std::span<const Real> initial,
                               std::span<const Real> log_likelihood) noexcept {
  const std::size_t filters = bank.chains.size();
  // The first window is the same for all: one filter's belief, which the others take over.
  const auto first = bank.beliefs.first(initial.size());
  std::ranges::copy(initial, first.begin());
  const auto absorbed = absorb(first, log_likelihood, bank.likelihoods);
  for (std::size_t j = initial.size(); j-- > 0;) {
    const Real belief = bank.beliefs[j];
    std::ranges::fill(bank.beliefs.subspan(j * filters, filters), belief);
  }
  return absorbed;
}

// The weights hold w_g c_g. Those of scale 0 are divided so that they sum to one, the others alike. Returns the sum.
template <std::floating_point Real, typename Count>
Real scale_weights(Alone<Real> weights, Alone<int> scales, Count filters) noexcept {
  constexpr Real unit = bank_weight_unit<Real>;
  Real total = 0;
  for (std::size_t g = 0; g < filters; ++g) total += scales[g] == 0 ? weights[g] : Real{0};
  int leave_their_scale = 0;
  for (std::size_t g = 0; g < filters; ++g) {
    weights[g] /= total;
    leave_their_scale |= static_cast<int>(weights[g] < 1 / unit) | scales[g];
  }
  for (std::size_t g = 0; leave_their_scale != 0 && g < filters; ++g) {
    if (weights[g] < 1 / unit) {
      weights[g] *= unit;
      --scales[g];
    } else if (scales[g] < 0 && weights[g] >= 1) {
      weights[g] /= unit;
      ++scales[g];
    }
  }
  return total;
}

template <std::floating_point Real, typename Count>
Real advance_filters(const BankView<Real>& bank, Count filters) noexcept {
  const Alone<const Real> moves = bank.chains.moves.data();
  const Alone<const Real> kept = bank.chains.kept.data();
  const Alone<const Real> likelihoods = bank.likelihoods.data();
  const Alone<Real> beliefs = bank.beliefs.data();
  const Alone<Real> totals = bank.scratch.data();
  const Alone<Real> weights = bank.weights.data();
  const std::size_t states = bank.likelihoods.size();
  for (std::size_t j = 0; j < states; ++j) {
    for (std::size_t g = 0; g < filters; ++g) {
      Real& belief = beliefs[(j * filters) + g];
      belief = ((likelihoods[j] * kept[g]) * belief) + (likelihoods[j] * moves[g]);
    }
  }
  normalise_filters<Real>(beliefs, states, totals, filters);
  for (std::size_t g = 0; g < filters; ++g) weights[g] *= totals[g];
  return scale_weights<Real>(weights, bank.scales.data(), filters);
}

template <std::floating_point Real>
Real advance_weighed(const BankView<Real>& bank) noexcept {
  return for_filters(bank.chains.size(), [&](auto filters) { return advance_filters(bank, filters); });
}

template <std::floating_point Real>
void hold_filters(const BankView<Real>& bank) noexcept {
  const std::size_t filters = bank.chains.size();
  for (std::size_t k = 0; k < bank.beliefs.size(); ++k) {
    bank.beliefs[k] = (bank.chains.kept[k % filters] * bank.beliefs[k]) + bank.chains.moves[k % filters];
  }
}

template <std::floating_point Real>
Absorbed<Real> advance_together(const BankView<Real>& bank, std::span<const Real> log_likelihood) noexcept {
  Absorbed<Real> absorbed = weigh(log_likelihood, bank.likelihoods);
  if (absorbed.step == Step::updated) absorbed.normaliser = advance_weighed(bank);
  if (absorbed.step == Step::held) hold_filters(bank);
  return absorbed;
}

template <std::floating_point Real>
void mix_beliefs(std::span<const Real> beliefs, std::span<const Real> probabilities,
                 std::span<Real> posterior) noexcept {
  for_filters(probabilities.size(), [&](auto filters) {
    for (std::size_t j = 0; j < posterior.size(); ++j) {
      Real sum = 0;
      for (std::size_t g = 0; g < filters; ++g) sum += probabilities[g] * beliefs[(j * filters) + g];
      posterior[j] = sum;
    }
  });
}

template <std::floating_point Real, typename Count>
void weigh_future(Alone<Real> future, std::span<const Real> likelihoods, Count filters) noexcept {
  for (std::size_t j = 0; j < likelihoods.size(); ++j) {
    for (std::size_t g = 0; g < filters; ++g) future[(j * filters) + g] *= likelihoods[j];
  }
}

template <std::floating_point Real, typename Count>
void retreat_filters(const BankChains<Real>& chains, std::span<Real> futures, Alone<Real> scratch,
                     Count filters) noexcept {
  const Alone<Real> future = futures.data();
  const std::size_t states = futures.size() / filters;
  normalise_filters<Real>(future, states, scratch, filters);
  for (std::size_t g = 0; g < filters; ++g) scratch[g] = 0;
  for (std::size_t j = 0; j < states; ++j) {
    for (std::size_t g = 0; g < filters; ++g) scratch[g] += future[(j * filters) + g];
  }
  for (std::size_t g = 0; g < filters; ++g) scratch[g] *= chains.moves[g];
  const Alone<const Real> kept = chains.kept.data();
  for (std::size_t j = 0; j < states; ++j) {
    for (std::size_t g = 0; g < filters; ++g) {
      Real& value = future[(j * filters) + g];
      value = (kept[g] * value) + scratch[g];
    }
  }
}

template <std::floating_point Real, typename Count>
void combine_filters(std::span<Real> beliefs, Alone<const Real> future, Alone<Real> scratch, Count filters) noexcept {
  const Alone<Real> joint = beliefs.data();
  for (std::size_t k = 0; k < beliefs.size(); ++k) joint[k] *= future[k];
  normalise_filters<Real>(joint, beliefs.size() / filters, scratch, filters);
}

}  // namespace

Absorbed<float> absorb(const BankView<float>& bank, std::span<const float> initial,
                       std::span<const float> log_likelihood) noexcept {
  return absorb_together(bank, initial, log_likelihood);
}

Absorbed<double> absorb(const BankView<double>& bank, std::span<const double> initial,
                        std::span<const double> log_likelihood) noexcept {
  return absorb_together(bank, initial, log_likelihood);
}

Absorbed<float> advance(const BankView<float>& bank, std::span<const float> log_likelihood) noexcept {
  return advance_together(bank, log_likelihood);
}

Absorbed<double> advance(const BankView<double>& bank, std::span<const double> log_likelihood) noexcept {
  return advance_together(bank, log_likelihood);
}

double advance_by(const BankView<double>& bank) noexcept { return advance_weighed(bank); }
void hold(const BankView<double>& bank) noexcept { hold_filters(bank); }
double normalise_weights(std::span<double> weights, std::span<int> scales) noexcept {
  return scale_weights<double>(weights.data(), scales.data(), weights.size());
}

void retreat(const BankChains<double>& chains, std::span<double> future, std::span<const double> likelihoods,
             std::span<double> scratch) noexcept {
  for_filters(chains.size(), [&](auto filters) {
    weigh_future<double>(future.data(), likelihoods, filters);
    retreat_filters<double>(chains, future, scratch.data(), filters);
  });
}

void combine(std::span<double> beliefs, std::span<const double> future, std::span<double> scratch) noexcept {
  for_filters(scratch.size(),
              [&](auto filters) { combine_filters<double>(beliefs, future.data(), scratch.data(), filters); });
}

void mix(std::span<const float> beliefs, std::span<const float> probabilities, std::span<float> posterior) noexcept {
  mix_beliefs(beliefs, probabilities, posterior);
}

void mix(std::span<const double> beliefs, std::span<const double> probabilities, std::span<double> posterior) noexcept {
  mix_beliefs(beliefs, probabilities, posterior);
}

}  // namespace heed::core
