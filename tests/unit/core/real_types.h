// SPDX-License-Identifier: MIT
// The two number types every test of core runs in, and numbers for the tests to chew on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace heed::test {

using Reals = testing::Types<float, double>;

template <typename Real>
inline constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
template <typename Real>
inline constexpr Real infinity = std::numeric_limits<Real>::infinity();

// What a recursion in Real may differ from long double: 1e-12 and 1e-5 are promised.
template <typename Real>
inline constexpr long double tolerance = sizeof(Real) == sizeof(double) ? 1e-12L : 1e-5L;

// Log-likelihoods as windows x states, normal with the given spread; the same numbers every time.
template <typename Real>
std::vector<std::vector<Real>> random_windows(std::size_t windows, std::size_t states, double spread) {
  std::mt19937_64 generator(windows + (1000 * states));
  std::normal_distribution<double> normal(0, spread);
  std::vector<std::vector<Real>> rows(windows, std::vector<Real>(states));
  for (auto& row : rows) {
    for (Real& l : row) l = static_cast<Real>(normal(generator));
  }
  return rows;
}

// NaN differs from everything.
template <typename Values>
long double largest_difference(const Values& values, const std::vector<long double>& expected) {
  if (values.size() != expected.size()) return infinity<long double>;
  long double largest = 0;
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const long double difference = std::abs(static_cast<long double>(values[j]) - expected[j]);
    if (std::isnan(difference)) return infinity<long double>;
    largest = std::max(largest, difference);
  }
  return largest;
}

template <typename Real>
std::vector<std::vector<long double>> widened(const std::vector<std::vector<Real>>& rows) {
  std::vector<std::vector<long double>> result;
  result.reserve(rows.size());
  for (const auto& row : rows) result.emplace_back(row.begin(), row.end());
  return result;
}

}  // namespace heed::test
