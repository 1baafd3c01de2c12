// SPDX-License-Identifier: MIT
// What core should compute, written the slow and plain way in long double: a dense transition matrix
// and a sum over every path. Shares no code with core.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace heed::test {

using Vector = std::vector<long double>;
using Rows = std::vector<Vector>;

// A[from][to]
inline Rows dense_sticky(std::size_t states, long double p) {
  Rows matrix(states, Vector(states, p));
  for (std::size_t i = 0; i < states; ++i) matrix[i][i] = 1 - (static_cast<long double>(states - 1) * p);
  return matrix;
}

// A window that carries no evidence, as algorithms define it for a chain that reaches every state.
inline bool is_missing(const Vector& log_likelihood) {
  bool possible = false;
  for (const long double l : log_likelihood) {
    if (std::isnan(l) || (std::isinf(l) && l > 0)) return true;
    possible |= !std::isinf(l);
  }
  return !possible;
}

// b_j, with all ones for a missing window
inline Vector likelihoods(const Vector& log_likelihood) {
  if (is_missing(log_likelihood)) return Vector(log_likelihood.size(), 1);
  Vector result;
  for (const long double l : log_likelihood) result.push_back(std::exp(l));
  return result;
}

struct Problem {
  Rows transition;
  Vector initial;
  Rows log_likelihoods;  // windows x states
};

inline Vector scaled_to_one(Vector values) {
  long double total = 0;
  for (const long double v : values) total += v;
  for (long double& v : values) v /= total;
  return values;
}

// Row t: P(S_t | windows 0..t), by the recursion with the dense matrix.
inline Rows dense_filter(const Problem& problem) {
  Rows rows;
  for (const Vector& window : problem.log_likelihoods) {
    const Vector b = likelihoods(window);
    Vector belief(b.size(), 0);
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (rows.empty()) belief[j] = problem.initial[j];
      for (std::size_t i = 0; !rows.empty() && i < b.size(); ++i) {
        belief[j] += rows.back()[i] * problem.transition[i][j];
      }
      belief[j] *= b[j];
    }
    rows.push_back(scaled_to_one(belief));
  }
  return rows;
}

// P(S_t | all windows), by adding up the probability of every path: states^windows of them.
inline Vector enumerated_posterior(const Problem& problem, std::size_t t) {
  const std::size_t states = problem.initial.size();
  const std::size_t windows = problem.log_likelihoods.size();
  Rows b;
  for (const Vector& window : problem.log_likelihoods) b.push_back(likelihoods(window));
  Vector total(states, 0);
  std::vector<std::size_t> path(windows, 0);
  for (bool more = true; more;) {
    long double joint = problem.initial[path[0]] * b[0][path[0]];
    for (std::size_t u = 1; u < windows; ++u) joint *= problem.transition[path[u - 1]][path[u]] * b[u][path[u]];
    total[path[t]] += joint;
    std::size_t digit = 0;  // count on in base `states`
    while (digit < windows && ++path[digit] == states) path[digit++] = 0;
    more = digit < windows;
  }
  return scaled_to_one(total);
}

}  // namespace heed::test
