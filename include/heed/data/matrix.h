// SPDX-License-Identifier: MIT
// Matrices of heed: row-major, time down the rows, speakers (states) across. A view is a plain
// pointer with its shape: it never copies or allocates, and numpy arrays fit it as they are.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <type_traits>

namespace heed::data {

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Does not own; valid as long as the storage behind it. Columns are contiguous, rows `stride` apart.
template <typename Element>
struct BasicMatrixView {
  Element* data = nullptr;
  Index rows = 0;
  Index columns = 0;
  Index stride = 0;

  [[nodiscard]] std::span<Element> row(Index t) const noexcept {
    return {data + (t * stride), static_cast<std::size_t>(columns)};
  }
  [[nodiscard]] Element& operator()(Index t, Index j) const noexcept { return data[(t * stride) + j]; }
  [[nodiscard]] BasicMatrixView middle_rows(Index first, Index count) const noexcept {
    return {data + (first * stride), count, columns, stride};
  }
  // A mutable view is accepted wherever a read-only one is.
  operator BasicMatrixView<const Element>() const noexcept  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<Element>) {
    return {data, rows, columns, stride};
  }
};

using MatrixView = BasicMatrixView<const double>;
using MutableMatrixView = BasicMatrixView<double>;

inline MatrixView view(const Matrix& matrix) noexcept {
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.cols()};
}
inline MutableMatrixView view(Matrix& matrix) noexcept {
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.cols()};
}

}  // namespace heed::data

namespace heed {
using data::Index;
using data::Matrix;
using data::MatrixView;
using data::MutableMatrixView;
}  // namespace heed
