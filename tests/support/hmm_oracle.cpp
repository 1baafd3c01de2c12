// SPDX-License-Identifier: MIT
#include "support/hmm_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace heed::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double log_sum_exp(const std::vector<double>& terms) {
  const double largest = *std::ranges::max_element(terms);
  if (largest == -infinity) return -infinity;
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return largest + std::log(sum);
}

std::vector<double> row_of(const Matrix& matrix, Index t) { return {matrix.row(t).begin(), matrix.row(t).end()}; }

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Sums {
  std::vector<LongMatrix> given;
  LongMatrix pairs;
};

// Walks the tree of path prefixes, adding each prefix's joint probability where it belongs.
class Walk {
 public:
  Walk(const PlainChain& chain, const LongMatrix& likelihood, Enumeration& result, Sums& sums)
      : chain_(chain), likelihood_(likelihood), result_(result), sums_(sums) {}

  void from(Index t, long double before) {
    for (Speaker j = 0; j < likelihood_.cols(); ++j) {
      const double arriving = t == 0 ? chain_.initial[static_cast<std::size_t>(j)] : chain_.transition(path_.back(), j);
      const long double joint = before * arriving * likelihood_(t, j);
      if (joint == 0) continue;
      path_.push_back(j);
      visit(t, joint);
      if (t + 1 < likelihood_.rows()) from(t + 1, joint);
      path_.pop_back();
    }
  }

 private:
  void visit(Index m, long double joint) {
    LongMatrix& given = sums_.given[static_cast<std::size_t>(m)];
    for (Index t = 0; t <= m; ++t) given(t, path_[static_cast<std::size_t>(t)]) += joint;
    if (m + 1 < likelihood_.rows()) return;
    for (std::size_t t = 1; t < path_.size(); ++t) sums_.pairs(path_[t - 1], path_[t]) += joint;
    const auto log_joint = static_cast<double>(std::log(joint));
    if (log_joint > result_.best) {
      result_.runner_up = result_.best;
      result_.best = log_joint;
      result_.best_path = path_;
    } else {
      result_.runner_up = std::max(result_.runner_up, log_joint);
    }
  }

  const PlainChain& chain_;
  const LongMatrix& likelihood_;
  Enumeration& result_;
  Sums& sums_;
  std::vector<Speaker> path_;
};

// b_j(t), with 1 for all in a missing window: NaN, +inf, or impossible for every state a path can be in.
LongMatrix observed_likelihood(const PlainChain& chain, const Matrix& log_likelihood, Index& held) {
  const Index states = log_likelihood.cols();
  LongMatrix likelihood = log_likelihood.cast<long double>().array().exp();
  std::vector<bool> reachable(static_cast<std::size_t>(states));
  for (std::size_t j = 0; j < reachable.size(); ++j) reachable[j] = chain.initial[j] > 0;
  for (Index t = 0; t < log_likelihood.rows(); ++t) {
    std::vector<bool> left = reachable;
    bool broken = false;
    for (Index j = 0; j < states; ++j) {
      broken |= std::isnan(log_likelihood(t, j)) || log_likelihood(t, j) == infinity;
      if (log_likelihood(t, j) == -infinity) left[static_cast<std::size_t>(j)] = false;
    }
    if (broken || std::ranges::find(left, true) == left.end()) {
      likelihood.row(t).setOnes();
      left = reachable;
      ++held;
    }
    reachable.assign(reachable.size(), false);
    for (Index i = 0; i < states; ++i) {
      for (Index j = 0; left[static_cast<std::size_t>(i)] && j < states; ++j) {
        if (chain.transition(i, j) > 0) reachable[static_cast<std::size_t>(j)] = true;
      }
    }
  }
  return likelihood;
}

}  // namespace

PlainChain plain_sticky_chain(Index states, double switch_probability) {
  PlainChain chain{.transition = Matrix::Constant(states, states, switch_probability),
                   .initial = std::vector<double>(static_cast<std::size_t>(states), 1 / static_cast<double>(states))};
  chain.transition.diagonal().setConstant(1 - (static_cast<double>(states - 1) * switch_probability));
  return chain;
}

PaperPosteriors paper_algorithm(const PlainChain& chain, const Matrix& log_likelihood) {
  const Index windows = log_likelihood.rows();
  const Index states = log_likelihood.cols();
  const Matrix log_a = chain.transition.array().log();
  Matrix alpha(windows, states);
  Matrix beta = Matrix::Zero(windows, states);
  std::vector<double> terms(static_cast<std::size_t>(states));
  for (Index j = 0; j < states; ++j) {
    alpha(0, j) = std::log(chain.initial[static_cast<std::size_t>(j)]) + log_likelihood(0, j);
  }
  for (Index t = 1; t < windows; ++t) {
    for (Index j = 0; j < states; ++j) {
      for (Index k = 0; k < states; ++k) {
        terms[static_cast<std::size_t>(k)] = alpha(t - 1, k) + log_likelihood(t, j) + log_a(k, j);
      }
      alpha(t, j) = log_sum_exp(terms);
    }
  }
  for (Index t = windows - 2; t >= 0; --t) {
    for (Index j = 0; j < states; ++j) {
      for (Index k = 0; k < states; ++k) {
        terms[static_cast<std::size_t>(k)] = beta(t + 1, k) + log_likelihood(t + 1, k) + log_a(j, k);
      }
      beta(t, j) = log_sum_exp(terms);
    }
  }
  PaperPosteriors result{.causal = Matrix(windows, states), .smooth = Matrix(windows, states)};
  const Matrix gamma = alpha + beta;
  for (Index t = 0; t < windows; ++t) {
    result.causal.row(t) = (alpha.row(t).array() - log_sum_exp(row_of(alpha, t))).exp();
    result.smooth.row(t) = (gamma.row(t).array() - log_sum_exp(row_of(gamma, t))).exp();
  }
  result.log_evidence = log_sum_exp(row_of(alpha, windows - 1));
  return result;
}

Enumeration enumerate_paths(const PlainChain& chain, const Matrix& log_likelihood) {
  const Index windows = log_likelihood.rows();
  const Index states = log_likelihood.cols();
  Enumeration result;
  result.best = result.runner_up = -infinity;
  Sums sums;
  sums.pairs = LongMatrix::Zero(states, states);
  for (Index m = 0; m < windows; ++m) sums.given.emplace_back(LongMatrix::Zero(m + 1, states));
  const LongMatrix likelihood = observed_likelihood(chain, log_likelihood, result.held);
  Walk(chain, likelihood, result, sums).from(0, 1);
  const long double evidence = sums.given.back().row(0).sum();
  result.log_evidence = static_cast<double>(std::log(evidence));
  result.pairs = (sums.pairs / evidence).cast<double>();
  for (const LongMatrix& given : sums.given) result.given.emplace_back((given / given.row(0).sum()).cast<double>());
  return result;
}

}  // namespace heed::test
