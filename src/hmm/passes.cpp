// SPDX-License-Identifier: MIT
#include "hmm/passes.h"

#include <heed/core/recursion.h>
#include <heed/data/error.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace heed::hmm {
namespace {

// belief <- A' belief
void predict_general(MatrixView transition, std::span<double> belief, std::span<double> scratch) noexcept {
  std::ranges::fill(scratch, 0.0);
  for (std::size_t i = 0; i < belief.size(); ++i) {
    const auto row = transition.row(static_cast<Index>(i));
    for (std::size_t j = 0; j < row.size(); ++j) scratch[j] += belief[i] * row[j];
  }
  std::ranges::copy(scratch, belief.begin());
}

core::Absorbed<double> advance(const Chain& chain, MatrixView log_likelihood, const Trellis& trellis,
                               Index t) noexcept {
  const auto belief = trellis.beliefs.row(t);
  const auto weights = trellis.weights.row(t);
  if (t == 0) {
    std::ranges::copy(chain.initial(), belief.begin());
    return core::absorb(belief, log_likelihood.row(t), weights);
  }
  std::ranges::copy(trellis.beliefs.row(t - 1), belief.begin());
  if (const auto* sticky = chain.as_sticky()) return core::advance(*sticky, belief, log_likelihood.row(t), weights);
  predict_general(chain.general(), belief, trellis.scratch);
  return core::absorb(belief, log_likelihood.row(t), weights);
}

}  // namespace

Evidence forward(const Chain& chain, MatrixView log_likelihood, const Trellis& trellis) noexcept {
  Evidence evidence;
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    const auto absorbed = advance(chain, log_likelihood, trellis, t);
    if (absorbed.step == core::Step::held) {
      ++evidence.held;
    } else {
      evidence.log += absorbed.shift + std::log(absorbed.normaliser);
    }
  }
  return evidence;
}

void retreat(const Chain& chain, const Trellis& trellis, Index t) noexcept {
  const auto future = trellis.future;
  const std::span<const double> weights = trellis.weights.row(t + 1);
  if (const auto* sticky = chain.as_sticky()) return core::retreat(*sticky, future, weights);
  for (std::size_t j = 0; j < future.size(); ++j) trellis.scratch[j] = weights[j] * future[j];
  for (std::size_t i = 0; i < future.size(); ++i) {
    const auto row = chain.general().row(static_cast<Index>(i));
    double sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * trellis.scratch[j];
    future[i] = sum;
  }
  core::normalise(future);
}

void combine(const Trellis& trellis, Index t) noexcept {
  const auto row = trellis.beliefs.row(t);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] *= trellis.future[j];
  core::normalise(row);
}

void require_states(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  const Matrix& values = log_likelihoods.values;
  if (values.cols() == chain.states() || values.size() + values.cols() == 0) return;
  throw Error(ErrorKind::invalid_argument, "the log-likelihoods have " + std::to_string(values.cols()) +
                                               " columns, the chain " + std::to_string(chain.states()) +
                                               " states; give one column a state");
}

Posteriors room_for_posteriors(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  require_states(chain, log_likelihoods);
  return {.values = Matrix(log_likelihoods.values.rows(), chain.states()), .window = log_likelihoods.window};
}

}  // namespace heed::hmm
