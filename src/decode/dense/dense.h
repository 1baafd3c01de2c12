// SPDX-License-Identifier: MIT
// The few dense operations that take the time of a fit, handed to OpenBLAS and LAPACK: the library itself is compiled
// for the oldest x86-64, OpenBLAS chooses its kernels by the machine. Calls run on the caller's thread alone, so that
// results do not depend on how many threads there are, and callers may run side by side.
#pragma once

#include <heed/data/matrix.h>

#include <optional>
#include <span>
#include <string>
#include <utility>

namespace heed::decode {

// By which kernels: "OpenBLAS Haswell". They add in another order on another processor.
[[nodiscard]] std::string kernel_name();

// target += factor * a' a, lower triangle only.
void add_gram_lower(MutableMatrixView target, MatrixView a, double factor);

// target += factor * a' b.
void add_product(MutableMatrixView target, MatrixView a, MatrixView b, double factor);

// target = a b.
void multiply(MutableMatrixView target, MatrixView a, MatrixView b);

// In place and without allocating: the lower triangle of a symmetric positive definite matrix becomes L of L L'. False
// if the matrix is not positive definite, to working precision; its contents are of no use then.
[[nodiscard]] bool factorise(Matrix& matrix) noexcept;
// right = (L L')^-1 right.
void solve_factorised(const Matrix& factor, std::span<double> right) noexcept;

// A symmetric positive definite matrix as L L'.
class Cholesky {
 public:
  // Reads the lower triangle. Nothing if the matrix is not positive definite, to working precision.
  [[nodiscard]] static std::optional<Cholesky> of(Matrix matrix);

  void solve(Matrix& right) const;             // right = (L L')^-1 right
  void solve_lower(Matrix& right) const;       // right = L^-1 right
  void solve_transposed(Matrix& right) const;  // right = L'^-1 right

 private:
  explicit Cholesky(Matrix factor) : factor_(std::move(factor)) {}
  Matrix factor_;
};

}  // namespace heed::decode
