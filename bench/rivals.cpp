// SPDX-License-Identifier: MIT
#include "rivals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace heed::bench {
namespace {

void softmax_into(std::span<const double> logs, std::span<double> out) {
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (std::size_t j = 0; j < logs.size(); ++j) sum += out[j] = std::exp(logs[j] - largest);
  for (double& value : out) value /= sum;
}

}  // namespace

Rival::Rival(Index windows, Index states, double switch_probability)
    : transition_(Matrix::Constant(states, states, switch_probability)),
      alpha_(windows, states),
      beta_(windows, states),
      likelihood_(windows, states),
      terms_(static_cast<std::size_t>(states)),
      came_from_(static_cast<std::size_t>(windows * states)) {
  transition_.diagonal().setConstant(1 - (static_cast<double>(states - 1) * switch_probability));
  log_transition_ = transition_.array().log();
}

double Rival::textbook_filter(MatrixView log_likelihood, MutableMatrixView posterior) {
  const Index n = log_likelihood.columns;
  double log_evidence = 0;
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      double predicted = t == 0 ? 1 / static_cast<double>(n) : 0;
      for (Index i = 0; t > 0 && i < n; ++i) predicted += posterior(t - 1, i) * transition_(i, j);
      likelihood_(t, j) = std::exp(log_likelihood(t, j));
      posterior(t, j) = predicted * likelihood_(t, j);
      sum += posterior(t, j);
    }
    for (Index j = 0; j < n; ++j) posterior(t, j) /= sum;
    log_evidence += std::log(sum);
  }
  return log_evidence;
}

double Rival::textbook_smooth(MatrixView log_likelihood, MutableMatrixView posterior) {
  const double log_evidence = textbook_filter(log_likelihood, posterior);
  const Index n = log_likelihood.columns;
  const Index last = log_likelihood.rows - 1;
  beta_.row(last).setOnes();
  for (Index t = last - 1; t >= 0; --t) {
    double scale = 0;
    for (Index i = 0; i < n; ++i) {
      double sum = 0;
      for (Index j = 0; j < n; ++j) sum += transition_(i, j) * likelihood_(t + 1, j) * beta_(t + 1, j);
      beta_(t, i) = sum;
      scale += sum;
    }
    double total = 0;
    for (Index i = 0; i < n; ++i) {
      beta_(t, i) /= scale;
      posterior(t, i) *= beta_(t, i);
      total += posterior(t, i);
    }
    for (Index i = 0; i < n; ++i) posterior(t, i) /= total;
  }
  return log_evidence;
}

void Rival::textbook_viterbi(MatrixView log_likelihood, std::vector<Speaker>& path) {
  const Index n = log_likelihood.columns;
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    for (Index j = 0; j < n; ++j) {
      Index best = j;
      double highest = t == 0 ? 0 : alpha_(t - 1, j) + log_transition_(j, j);
      for (Index i = 0; t > 0 && i < n; ++i) {
        const double moved = alpha_(t - 1, i) + log_transition_(i, j);
        if (moved > highest) {
          highest = moved;
          best = i;
        }
      }
      alpha_(t, j) = highest + log_likelihood(t, j);
      came_from_[static_cast<std::size_t>((t * n) + j)] = static_cast<Speaker>(best);
    }
  }
  Index state = 0;
  alpha_.row(log_likelihood.rows - 1).maxCoeff(&state);
  for (Index t = log_likelihood.rows - 1; t >= 0; --t) {
    path[static_cast<std::size_t>(t)] = static_cast<Speaker>(state);
    state = came_from_[static_cast<std::size_t>((t * n) + state)];
  }
}

double Rival::log_sum_exp() const {
  const double largest = std::ranges::max(terms_);
  double sum = 0;
  for (const double term : terms_) sum += std::exp(term - largest);
  return largest + std::log(sum);
}

double Rival::paper_forward(MatrixView log_likelihood) {
  const Index n = log_likelihood.columns;
  for (Index j = 0; j < n; ++j) alpha_(0, j) = log_likelihood(0, j) - std::log(static_cast<double>(n));
  for (Index t = 1; t < log_likelihood.rows; ++t) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        terms_[static_cast<std::size_t>(k)] = alpha_(t - 1, k) + log_likelihood(t, j) + log_transition_(k, j);
      }
      alpha_(t, j) = log_sum_exp();
    }
  }
  std::ranges::copy(data::view(alpha_).row(log_likelihood.rows - 1), terms_.begin());
  return log_sum_exp();
}

double Rival::paper_filter(MatrixView log_likelihood, MutableMatrixView posterior) {
  const double log_evidence = paper_forward(log_likelihood);
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    softmax_into(data::view(std::as_const(alpha_)).row(t), posterior.row(t));
  }
  return log_evidence;
}

double Rival::paper_smooth(MatrixView log_likelihood, MutableMatrixView posterior) {
  const double log_evidence = paper_forward(log_likelihood);
  const Index n = log_likelihood.columns;
  beta_.row(log_likelihood.rows - 1).setZero();
  for (Index t = log_likelihood.rows - 2; t >= 0; --t) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        terms_[static_cast<std::size_t>(k)] = beta_(t + 1, k) + log_likelihood(t + 1, k) + log_transition_(j, k);
      }
      beta_(t, j) = log_sum_exp();
    }
  }
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    for (Index j = 0; j < n; ++j) terms_[static_cast<std::size_t>(j)] = alpha_(t, j) + beta_(t, j);
    softmax_into(terms_, posterior.row(t));
  }
  return log_evidence;
}

}  // namespace heed::bench
