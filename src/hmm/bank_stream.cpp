// SPDX-License-Identifier: MIT
#include <heed/hmm/bank.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hmm/passes.h"

namespace heed::hmm {

BankStream::BankStream(Bank bank, Index lag)
    : bank_(std::move(bank)),
      lag_(checked_stream_lag(lag)),
      weights_(bank_.weights()),
      probabilities_(bank_.size()),
      belief_(bank_.chain(0).initial().begin(), bank_.chain(0).initial().end()),
      future_(bank_.size() * belief_.size()),
      combined_(future_.size()),
      scratch_(bank_.size()),
      beliefs_(static_cast<std::size_t>(lag_ + 1) * future_.size()),
      likelihoods_(static_cast<std::size_t>(lag_ + 1) * belief_.size()) {
  weights_.probabilities_into(probabilities_);
}

std::span<double> BankStream::kept(std::vector<double>& rows, Index window) const noexcept {
  const std::size_t width = rows.size() / static_cast<std::size_t>(lag_ + 1);
  return std::span(rows).subspan(static_cast<std::size_t>(window % (lag_ + 1)) * width, width);
}

core::Step BankStream::step(std::span<const double> log_likelihood) noexcept {
  if (log_likelihood.size() != belief_.size()) return core::Step::wrong_size;
  const std::span<double> beliefs = kept(beliefs_, windows_);
  if (windows_ > 0 && lag_ > 0) std::ranges::copy(kept(beliefs_, windows_ - 1), beliefs.begin());
  const core::BankView<double> view{.chains = bank_.chains(),
                                    .beliefs = beliefs,
                                    .weights = weights_.weights,
                                    .scales = weights_.scales,
                                    .likelihoods = kept(likelihoods_, windows_),
                                    .scratch = scratch_};
  const auto absorbed = windows_ == 0 ? core::absorb(view, bank_.chain(0).initial(), log_likelihood)
                                      : core::advance(view, log_likelihood);
  weights_.probabilities_into(probabilities_);
  core::mix(beliefs, probabilities_, belief_);
  ++windows_;
  return absorbed.step;
}

bool BankStream::look_back(Index age, std::span<double> posterior) noexcept {
  const bool there = age >= 0 && age <= lag_ && age < windows_;
  if (!there || posterior.size() != belief_.size()) return false;
  std::ranges::copy(kept(beliefs_, windows_ - 1 - age), combined_.begin());
  std::ranges::fill(future_, 1.0);
  for (Index later = 0; later < age; ++later) {
    core::retreat(bank_.chains(), future_, kept(likelihoods_, windows_ - 1 - later), scratch_);
  }
  if (age > 0) core::combine(combined_, future_, scratch_);
  core::mix(combined_, probabilities_, posterior);
  return true;
}

bool BankStream::resume(std::span<const double> belief) noexcept {
  if (!is_distribution(belief) || belief.size() != belief_.size()) return false;
  windows_ = 1;
  std::ranges::copy(belief, belief_.begin());
  const std::span<double> beliefs = kept(beliefs_, 0);
  for (std::size_t j = 0; j < belief.size(); ++j) {
    std::ranges::fill(beliefs.subspan(j * bank_.size(), bank_.size()), belief[j]);
  }
  std::ranges::fill(kept(likelihoods_, 0), 1.0);
  return true;
}

bool BankStream::learn_from(const BankStream& other) noexcept {
  if (other.bank_.size() != bank_.size()) return false;
  std::ranges::copy(other.weights_.weights, weights_.weights.begin());
  std::ranges::copy(other.weights_.scales, weights_.scales.begin());
  weights_.probabilities_into(probabilities_);
  return true;
}

void BankStream::reset() noexcept {
  windows_ = 0;
  std::ranges::copy(bank_.chain(0).initial(), belief_.begin());
}

}  // namespace heed::hmm
