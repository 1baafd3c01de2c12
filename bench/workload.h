// SPDX-License-Identifier: MIT
// What every benchmark runs on: windows with a little evidence, attention moving every 300.
#pragma once

#include <data/large_pages.h>
#include <heed/data/matrix.h>
#include <heed/data/random.h>
#include <heed/hmm/chain.h>

#include <cstddef>

namespace heed::bench {

inline constexpr double switch_probability = 0.001;

// Not yet set; in pages of 2 MB where it is long, as numpy has them. For heed and its rivals alike.
inline Matrix long_matrix(Index rows, Index columns) {
  Matrix values(rows, columns);
  data::prefer_large_pages(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  return values;
}

inline Matrix evidence(Index windows, Index states) {
  RandomStream random(1);
  Matrix values = long_matrix(windows, states);
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < states; ++j) {
      values(t, j) = (0.4 * random.normal()) + ((t / 300) % states == j ? 0.1 : 0.0);
    }
  }
  return values;
}

inline Matrix sticky_matrix(Index states) {
  Matrix matrix = Matrix::Constant(states, states, switch_probability);
  matrix.diagonal().setConstant(1 - (static_cast<double>(states - 1) * switch_probability));
  return matrix;
}

// A chain that is not sticky: further speakers are less likely to be turned to.
inline Matrix dense_matrix(Index states) {
  Matrix matrix(states, states);
  for (Index i = 0; i < states; ++i) {
    for (Index j = 0; j < states; ++j) {
      matrix(i, j) = i == j ? 1.0 : switch_probability / static_cast<double>(1 + std::abs(i - j));
    }
    matrix.row(i) /= matrix.row(i).sum();
  }
  return matrix;
}

}  // namespace heed::bench
