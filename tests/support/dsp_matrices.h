// SPDX-License-Identifier: MIT
// Matrices for the tests of dsp: noise, and numbers that a script wrote.
#pragma once

#include <gtest/gtest.h>
#include <heed/data/matrix.h>
#include <heed/data/random.h>
#include <heed/data/recording.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace heed::test {

inline Matrix noise(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

// A line per row, blanks between numbers.
inline Matrix read_matrix(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<double> values;
  Index rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    std::istringstream words(line);
    for (double value = 0; words >> value;) values.push_back(value);
  }
  if (rows == 0) return {};
  return Eigen::Map<const Matrix>(values.data(), rows, static_cast<Index>(values.size()) / rows);
}

// The largest difference, relative to the largest expected number.
inline double relative_error(const Matrix& actual, const Matrix& expected) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    ADD_FAILURE() << actual.rows() << " x " << actual.cols() << ", not " << expected.rows() << " x " << expected.cols();
    return 1e9;
  }
  return (actual - expected).cwiseAbs().maxCoeff() / std::max(expected.cwiseAbs().maxCoeff(), 1e-300);
}

// visit(first, count) for pieces of a signal.
template <typename Visit>
void in_chunks(Index rows, Index chunk, Visit visit) {
  for (Index t = 0; t < rows; t += chunk) visit(t, std::min(chunk, rows - t));
}

// Rows of b after those of a.
template <typename Values>
void append_rows(Values& a, const Values& b) {
  Values both(a.rows() + b.rows(), b.cols());
  if (a.rows() > 0) both.topRows(a.rows()) = a;
  if (b.rows() > 0) both.bottomRows(b.rows()) = b;
  a = both;
}

}  // namespace heed::test
