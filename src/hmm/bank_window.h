// SPDX-License-Identifier: MIT
// One window of a bank of filters, as whole trials and streams take it.
#pragma once

#include <heed/hmm/bank.h>

#include <algorithm>
#include <span>

namespace heed::hmm {

// The first window starts from the initial distribution.
inline core::Absorbed<double> take_window(const Bank& bank, const core::BankView<double>& view,
                                          std::span<const double> log_likelihood, bool first) noexcept {
  if (!first) return core::advance(view, log_likelihood);
  std::ranges::copy(bank.chain(0).initial(), view.beliefs.begin());
  return core::absorb(view, log_likelihood);
}

inline void show(const BankWeights& weights, std::span<double> probabilities) noexcept {
  std::ranges::transform(weights, probabilities.begin(), [](const auto& weight) { return weight.probability(); });
}

}  // namespace heed::hmm
