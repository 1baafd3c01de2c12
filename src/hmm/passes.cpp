// SPDX-License-Identifier: MIT
#include "hmm/passes.h"

#include <data/large_pages.h>
#include <heed/data/error.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace heed::hmm {
namespace {

// belief <- A' belief. Four products are added in pairs, so that fewer sums wait for each other; the kernels' filter
// adds in the same order.
void predict_general(MatrixView transition, std::span<double> belief, std::span<double> scratch) noexcept {
  const auto product = [&](std::size_t i, std::size_t j) {
    return belief[i] * transition(static_cast<Index>(i), static_cast<Index>(j));
  };
  const std::size_t n = belief.size();
  std::ranges::fill(scratch, 0.0);
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t j = 0; j < n; ++j) {
      scratch[j] += (product(i, j) + product(i + 1, j)) + (product(i + 2, j) + product(i + 3, j));
    }
  }
  for (; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) scratch[j] += product(i, j);
  }
  std::ranges::copy(scratch, belief.begin());
}

core::Absorbed<double> advance_to(const Chain& chain, MatrixView log_likelihood, const Trellis& trellis,
                                  Index t) noexcept {
  const auto belief = trellis.beliefs.row(t);
  const auto weights = trellis.weights.row(t);
  if (t == 0) {
    std::ranges::copy(chain.initial(), belief.begin());
    return core::absorb(belief, log_likelihood.row(t), weights);
  }
  std::ranges::copy(trellis.beliefs.row(t - 1), belief.begin());
  return advance(chain, belief, log_likelihood.row(t), {weights, trellis.scratch});
}

}  // namespace

LogEvidence forward(const Chain& chain, MatrixView log_likelihood, const Trellis& trellis) noexcept {
  LogEvidence evidence;
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    const auto absorbed = advance_to(chain, log_likelihood, trellis, t);
    if (absorbed.step == core::Step::held) {
      ++evidence.held;
    } else {
      evidence.log += absorbed.shift + std::log(absorbed.normaliser);
    }
  }
  return evidence;
}

core::Absorbed<double> advance(const ChainStep& chain, std::span<double> belief, std::span<const double> log_likelihood,
                               const WindowStorage& window) noexcept {
  if (chain.sticky != nullptr) return core::advance(*chain.sticky, belief, log_likelihood, window.weights);
  if (log_likelihood.size() != belief.size()) return {.step = core::Step::wrong_size};
  predict_general(chain.general, belief, window.scratch);
  return core::absorb(belief, log_likelihood, window.weights);
}

core::Absorbed<double> advance(const Chain& chain, std::span<double> belief, std::span<const double> log_likelihood,
                               const WindowStorage& window) noexcept {
  return advance(ChainStep{chain.as_sticky(), chain.general()}, belief, log_likelihood, window);
}

void retreat(const Chain& chain, std::span<double> future, const WindowStorage& later) noexcept {
  retreat(ChainStep{chain.as_sticky(), chain.general()}, future, later);
}

void retreat(const ChainStep& chain, std::span<double> future, const WindowStorage& later) noexcept {
  if (chain.sticky != nullptr) return core::retreat(*chain.sticky, future, later.weights);
  for (std::size_t j = 0; j < future.size(); ++j) later.scratch[j] = later.weights[j] * future[j];
  for (std::size_t i = 0; i < future.size(); ++i) {
    const auto row = chain.general.row(static_cast<Index>(i));
    double sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * later.scratch[j];
    future[i] = sum;
  }
  core::normalise(future);
}

void combine(std::span<double> belief, std::span<const double> other) noexcept {
  for (std::size_t j = 0; j < belief.size(); ++j) belief[j] *= other[j];
  core::normalise(belief);
}

void retreat(const Chain& chain, const Trellis& trellis, Index t) noexcept {
  retreat(chain, trellis.future, {trellis.weights.row(t + 1), trellis.scratch});
}

void combine(const Trellis& trellis, Index t) noexcept { combine(trellis.beliefs.row(t), trellis.future); }

void require_states(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  const Matrix& values = log_likelihoods.values;
  if (values.cols() == chain.states() || values.size() + values.cols() == 0) return;
  throw Error(ErrorKind::invalid_argument, "the log-likelihoods have " + std::to_string(values.cols()) +
                                               " columns, the chain " + std::to_string(chain.states()) +
                                               " states; give one column for each state");
}

Posteriors room_for_posteriors(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  require_states(chain, log_likelihoods);
  return {.values = new_matrix(log_likelihoods.values.rows(), chain.states()),
          .window = log_likelihoods.window,
          .hop = log_likelihoods.hop};
}

Matrix new_matrix(Index rows, Index columns) {
  Matrix values(rows, columns);
  data::prefer_large_pages(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  return values;
}

}  // namespace heed::hmm
