// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/chain.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>

#include "hmm/kernels/kernels.h"

namespace heed::hmm {
namespace {

template <typename... Parts>
[[noreturn]] void reject(const Parts&... parts) {
  std::ostringstream message;
  message.precision(10);
  (message << ... << parts);
  throw Error(ErrorKind::invalid_argument, message.str());
}

// Reads the distribution a message calls `name`; gives it scaled to a sum of one. The last rounding goes into
// the largest entry, so that whoever adds the entries up in order gets 1 and does not scale again.
std::vector<double> exact_distribution(std::span<const double> given, const std::string& name) {
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (!(given[j] >= 0 && given[j] <= 1)) {
      reject(name, ", entry ", j + 1, " is ", given[j], "; a probability lies between 0 and 1");
    }
  }
  const double total = std::accumulate(given.begin(), given.end(), 0.0);
  if (!(std::abs(total - 1) <= 1e-6)) reject(name, " sums to ", total, "; its probabilities must sum to 1");
  std::vector<double> exact(given.begin(), given.end());
  for (double& probability : exact) probability /= total;
  const auto largest = std::ranges::max_element(exact);
  for (int round = 0; round < 8; ++round) {
    const double left_over = 1 - std::accumulate(exact.begin(), exact.end(), 0.0);
    if (left_over == 0) break;
    *largest += left_over;
  }
  return exact;
}

void require_rate(Index states, Seconds window, double per_second) {
  if (states < 2) reject("a switch probability needs at least 2 states, not ", states);
  if (!(std::isfinite(window.value) && window.value > 0)) {
    reject("a window of ", window.value, " s has no switch probability; give a length above 0 s");
  }
  const double highest = 1 / static_cast<double>(states);
  if (!(per_second > 0 && per_second <= highest)) {
    reject("switch probability ", per_second, " per second of ", states, " states; give one above 0 and at most ",
           highest);
  }
}

double require_in_range(Index states, Seconds window, double p) {
  const double highest = 1 / static_cast<double>(states);
  if (!(p > 0 && p <= highest)) {
    reject("windows of ", window.value, " s give a switch probability of ", p, ", but with ", states,
           " states it must be above 0 and at most ", highest, "; use shorter windows or give the probability");
  }
  return p;
}

}  // namespace

Chain Chain::sticky(Index states, double switch_probability) {
  const auto core_chain =
      core::StickyChain<double>::make(static_cast<std::size_t>(std::max<Index>(states, 0)), switch_probability);
  if (!core_chain && states < 2) reject("a chain of ", states, " states; attention needs at least 2 to move between");
  if (!core_chain) {
    reject("switch probability ", switch_probability, " of a chain of N = ", states,
           " states; give one above 0 and at most 1/N = ", 1 / static_cast<double>(states));
  }
  Chain chain;
  chain.sticky_ = core_chain;
  chain.initial_.assign(core_chain->states(), 1 / static_cast<double>(states));
  return chain;
}

Chain Chain::make(const Matrix& transition) {
  const Index states = transition.rows();
  if (states < 1 || transition.cols() != states) {
    reject("a transition matrix of ", states, " rows and ", transition.cols(),
           " columns; give as many rows (from) as columns (to), at least 1");
  }
  Chain chain;
  chain.transition_ = Matrix::Zero(states, kernels::padded(states));
  for (Index i = 0; i < states; ++i) {
    const auto row = data::view(transition).row(i);
    std::ranges::copy(exact_distribution(row, "row " + std::to_string(i + 1) + " of the transition matrix"),
                      data::view(chain.transition_).row(i).begin());
  }
  chain.transposed_ = Matrix::Zero(states, chain.transition_.cols());
  chain.transposed_.leftCols(states) = chain.transition_.leftCols(states).transpose();
  // Not Eigen's log: it differs by an ulp between lanes, and equal transitions must stay equal.
  const auto logarithm = [](double probability) { return std::log(probability); };
  chain.log_transition_ = chain.transition_.unaryExpr(logarithm);
  chain.log_transposed_ = chain.transposed_.unaryExpr(logarithm);
  chain.initial_.assign(static_cast<std::size_t>(states), 1 / static_cast<double>(states));
  return chain;
}

Chain Chain::with_initial(std::span<const double> initial) const {
  if (initial.size() != initial_.size()) {
    reject("the initial distribution has ", initial.size(), " probabilities, the chain ", states(),
           " states; give one for each state");
  }
  Chain chain = *this;
  chain.initial_ = exact_distribution(initial, "the initial distribution");
  return chain;
}

double Chain::transition(From from, To to) const noexcept {
  if (sticky_) return from.state == to.state ? sticky_->stay() : sticky_->move();
  return general()(from.state, to.state);
}

double linear_switch_probability(Index states, Seconds window, double per_second) {
  require_rate(states, window, per_second);
  return require_in_range(states, window, per_second * window.value);
}

double exact_switch_probability(Index states, Seconds window, double per_second) {
  require_rate(states, window, per_second);
  const auto n = static_cast<double>(states);
  // expm1 and log1p: 1 - (1 - N p)^tau would lose half the digits of a small p.
  return require_in_range(states, window, -std::expm1(window.value * std::log1p(-n * per_second)) / n);
}

}  // namespace heed::hmm
