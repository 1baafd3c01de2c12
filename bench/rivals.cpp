// SPDX-License-Identifier: MIT
#include "rivals.h"

#include <core/exponential.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "workload.h"

namespace heed::bench {
namespace {

void softmax_into(std::span<const double> logs, std::span<double> out) {
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (std::size_t j = 0; j < logs.size(); ++j) sum += out[j] = std::exp(logs[j] - largest);
  for (double& value : out) value /= sum;
}

}  // namespace

Rival::Rival(Index windows, const Matrix& transition)
    : transition_(transition),
      log_transition_(transition.array().log()),
      alpha_(long_matrix(windows, transition.cols())),
      beta_(long_matrix(windows, transition.cols())),
      likelihood_(long_matrix(windows, transition.cols())),
      pairs_(transition.rows(), transition.cols()),
      scale_(static_cast<std::size_t>(windows)),
      terms_(static_cast<std::size_t>(transition.cols())),
      came_from_(static_cast<std::size_t>(windows * transition.cols())) {}

// Likelihoods up to a scale a window; returns the sum of what was taken out.
double Rival::weigh(MatrixView log_likelihood) {
  const Index n = log_likelihood.columns;
  double shift = 0;
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    double largest = log_likelihood(t, 0);
    for (Index j = 1; j < n; ++j) largest = std::max(largest, log_likelihood(t, j));
    for (Index j = 0; j < n; ++j) likelihood_(t, j) = log_likelihood(t, j) - largest;
    shift += largest;
  }
  double* const values = likelihood_.data();
  const Index count = log_likelihood.rows * n;
  for (Index k = 0; k < count; ++k) values[k] = core::exponential(values[k]);
  return shift;
}

double Rival::textbook_filter(MatrixView log_likelihood, MutableMatrixView posterior) {
  const Index n = log_likelihood.columns;
  double log_evidence = weigh(log_likelihood);
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      double predicted = t == 0 ? 1 / static_cast<double>(n) : 0;
      for (Index i = 0; t > 0 && i < n; ++i) predicted += posterior(t - 1, i) * transition_(i, j);
      posterior(t, j) = predicted * likelihood_(t, j);
      sum += posterior(t, j);
    }
    const double scale = 1 / sum;
    scale_[static_cast<std::size_t>(t)] = scale;
    for (Index j = 0; j < n; ++j) posterior(t, j) *= scale;
    log_evidence += std::log(sum);
  }
  return log_evidence;
}

// Scaled by the forward pass's own factors, so that alpha beta is the posterior as it is.
void Rival::backward(Index windows) {
  beta_.row(windows - 1).setOnes();
  for (Index t = windows - 2; t >= 0; --t) retreat(t);
}

void Rival::retreat(Index t) {
  const Index n = transition_.cols();
  const double scale = scale_[static_cast<std::size_t>(t + 1)];
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) sum += transition_(i, j) * likelihood_(t + 1, j) * beta_(t + 1, j);
    beta_(t, i) = sum * scale;
  }
}

double Rival::textbook_smooth(MatrixView log_likelihood, MutableMatrixView posterior) {
  const double log_evidence = textbook_filter(log_likelihood, posterior);
  backward(log_likelihood.rows);
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    for (Index i = 0; i < log_likelihood.columns; ++i) posterior(t, i) *= beta_(t, i);
  }
  return log_evidence;
}

double Rival::textbook_fixed_lag(MatrixView log_likelihood, Index lag, MutableMatrixView posterior) {
  const double log_evidence = textbook_filter(log_likelihood, posterior);
  const Index n = log_likelihood.columns;
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    Index later = std::min(t + lag, log_likelihood.rows - 1);
    beta_.row(later).setOnes();
    for (; later > t; --later) retreat(later - 1);
    for (Index i = 0; i < n; ++i) posterior(t, i) *= beta_(t, i);
  }
  return log_evidence;
}

double Rival::textbook_expectation(MatrixView log_likelihood, MutableMatrixView posterior) {
  const double log_evidence = textbook_filter(log_likelihood, posterior);
  const Index n = log_likelihood.columns;
  backward(log_likelihood.rows);
  pairs_.setZero();
  for (Index t = 0; t + 1 < log_likelihood.rows; ++t) {
    const double scale = scale_[static_cast<std::size_t>(t + 1)];
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        pairs_(i, j) += posterior(t, i) * transition_(i, j) * likelihood_(t + 1, j) * beta_(t + 1, j) * scale;
      }
    }
  }
  for (Index t = 0; t < log_likelihood.rows; ++t) {
    for (Index i = 0; i < n; ++i) posterior(t, i) *= beta_(t, i);
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
