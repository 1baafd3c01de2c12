// SPDX-License-Identifier: MIT
// Random chains and log-likelihoods for the tests of the HMM engine, and the way from an oracle's chain
// to heed's.
#pragma once

#include <heed/data/random.h>
#include <heed/hmm/chain.h>

#include "support/hmm_oracle.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace heed::test {

// Odds of what makes a case hard.
struct Hardness {
  double zero = 0;        // a transition or initial probability is 0
  double missing = 0;     // a window is NaN, +inf or impossible for all
  double impossible = 0;  // a state is impossible in a window
};

inline hmm::Chain to_chain(const PlainChain& plain) {
  return hmm::Chain::make(plain.transition).with_initial(plain.initial);
}

inline std::vector<double> random_distribution(Index states, double zero, RandomStream& random) {
  std::vector<double> probabilities(static_cast<std::size_t>(states));
  double total = 0;
  for (double& p : probabilities) {
    p = random.uniform() < zero ? 0 : 0.02 + random.uniform();
    total += p;
  }
  if (total == 0) {
    probabilities[static_cast<std::size_t>(random.integer(0, states - 1))] = total = 1;
  }
  for (double& p : probabilities) p /= total;
  return probabilities;
}

// Asymmetric on purpose: an engine that mixes up from and to fails on it.
inline PlainChain random_chain(Index states, const Hardness& hardness, RandomStream& random) {
  PlainChain chain{.transition = Matrix(states, states), .initial = random_distribution(states, hardness.zero, random)};
  for (Index i = 0; i < states; ++i) {
    const auto row = random_distribution(states, hardness.zero, random);
    for (Index j = 0; j < states; ++j) chain.transition(i, j) = row[static_cast<std::size_t>(j)];
  }
  return chain;
}

inline Matrix random_log_likelihoods(Index windows, Index states, const Hardness& hardness, RandomStream& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Matrix values(windows, states);
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < states; ++j) {
      values(t, j) = random.uniform() < hardness.impossible ? -infinity : 2 * random.normal();
    }
    if (random.uniform() >= hardness.missing) continue;
    const auto kind = random.integer(0, 2);
    if (kind == 0) values(t, random.integer(0, states - 1)) = std::numeric_limits<double>::quiet_NaN();
    if (kind == 1) values(t, random.integer(0, states - 1)) = infinity;
    if (kind == 2) values.row(t).setConstant(-infinity);
  }
  return values;
}

// The largest difference between two matrices; +inf where shapes differ or NaN meets a number.
inline double largest_difference(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a.data()[i] - b.data()[i]);
    if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace heed::test
