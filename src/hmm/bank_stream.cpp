// SPDX-License-Identifier: MIT
#include <heed/hmm/bank.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hmm/bank_window.h"
#include "hmm/passes.h"

namespace heed::hmm {

BankStream::BankStream(Bank bank, Index lag)
    : bank_(std::move(bank)),
      lag_(checked_stream_lag(lag)),
      weights_(bank_.weights()),
      probabilities_(bank_.size()),
      belief_(bank_.chain(0).initial().begin(), bank_.chain(0).initial().end()),
      future_(belief_.size()),
      scratch_(bank_.size() * belief_.size()),
      beliefs_(static_cast<std::size_t>(lag_ + 1) * scratch_.size()),
      likelihoods_(static_cast<std::size_t>(lag_ + 1) * belief_.size()) {
  show(weights_, probabilities_);
}

std::span<double> BankStream::kept(std::vector<double>& rows, Index window) const noexcept {
  const std::size_t width = rows.size() / static_cast<std::size_t>(lag_ + 1);
  return std::span(rows).subspan(static_cast<std::size_t>(window % (lag_ + 1)) * width, width);
}

core::Step BankStream::step(std::span<const double> log_likelihood) noexcept {
  if (log_likelihood.size() != belief_.size()) return core::Step::wrong_size;
  const std::span<double> beliefs = kept(beliefs_, windows_);
  if (windows_ > 0 && lag_ > 0) std::ranges::copy(kept(beliefs_, windows_ - 1), beliefs.begin());
  const core::BankView<double> view{
      .chains = bank_.sticky(), .beliefs = beliefs, .weights = weights_, .likelihoods = kept(likelihoods_, windows_)};
  const auto absorbed = take_window(bank_, view, log_likelihood, windows_ == 0);
  show(weights_, probabilities_);
  core::mix(beliefs, probabilities_, belief_);
  ++windows_;
  return absorbed.step;
}

bool BankStream::look_back(Index age, std::span<double> posterior) noexcept {
  const bool there = age >= 0 && age <= lag_ && age < windows_;
  if (!there || posterior.size() != belief_.size()) return false;
  std::ranges::copy(kept(beliefs_, windows_ - 1 - age), scratch_.begin());
  for (std::size_t g = 0; age > 0 && g < bank_.size(); ++g) {
    std::ranges::fill(future_, 1.0);
    for (Index later = 0; later < age; ++later) {
      core::retreat(bank_.sticky()[g], future_, kept(likelihoods_, windows_ - 1 - later));
    }
    combine(std::span(scratch_).subspan(g * belief_.size(), belief_.size()), future_);
  }
  core::mix(scratch_, probabilities_, posterior);
  return true;
}

bool BankStream::resume(std::span<const double> belief) noexcept {
  if (!is_distribution(belief) || belief.size() != belief_.size()) return false;
  windows_ = 1;
  std::ranges::copy(belief, belief_.begin());
  const std::span<double> beliefs = kept(beliefs_, 0);
  for (std::size_t g = 0; g < bank_.size(); ++g) {
    std::ranges::copy(belief, beliefs.subspan(g * belief.size(), belief.size()).begin());
  }
  std::ranges::fill(kept(likelihoods_, 0), 1.0);
  return true;
}

bool BankStream::learn_from(const BankStream& other) noexcept {
  if (other.weights_.size() != weights_.size()) return false;
  weights_ = other.weights_;
  show(weights_, probabilities_);
  return true;
}

void BankStream::reset() noexcept {
  windows_ = 0;
  std::ranges::copy(bank_.chain(0).initial(), belief_.begin());
}

}  // namespace heed::hmm
