// SPDX-License-Identifier: MIT
#include "decode/dense/dense.h"

#include <cblas.h>
#include <lapacke.h>

#include <utility>

namespace heed::decode {
namespace {

// OpenBLAS keeps its number of threads for the process. Set when first used.
void use_one_thread() {
  static const bool done = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

int size(Index n) { return static_cast<int>(n); }

}  // namespace

std::string kernel_name() { return std::string("OpenBLAS ") + openblas_get_corename(); }

void add_gram_lower(MutableMatrixView target, MatrixView a, double factor) {
  use_one_thread();
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, size(a.columns), size(a.rows), factor, a.data, size(a.stride), 1.0,
              target.data, size(target.stride));
}

void add_product(MutableMatrixView target, MatrixView a, MatrixView b, double factor) {
  use_one_thread();
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, size(a.columns), size(b.columns), size(a.rows), factor, a.data,
              size(a.stride), b.data, size(b.stride), 1.0, target.data, size(target.stride));
}

void multiply(MutableMatrixView target, MatrixView a, MatrixView b) {
  use_one_thread();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(a.rows), size(b.columns), size(a.columns), 1.0, a.data,
              size(a.stride), b.data, size(b.stride), 0.0, target.data, size(target.stride));
}

bool factorise(Matrix& matrix) noexcept {
  use_one_thread();
  // LAPACK counts columns first: its upper triangle is our lower one.
  const auto n = static_cast<lapack_int>(matrix.rows());
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, matrix.data(), n) != 0) return false;
  return matrix.diagonal().allFinite();  // a NaN anywhere ends there
}

void solve_factorised(const Matrix& factor, std::span<double> right) noexcept {
  const int n = size(factor.rows());
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, factor.data(), n, right.data(), 1);
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, factor.data(), n, right.data(), 1);
}

std::optional<Cholesky> Cholesky::of(Matrix matrix) {
  if (!factorise(matrix)) return std::nullopt;
  return Cholesky(std::move(matrix));
}

void Cholesky::solve(Matrix& right) const {
  solve_lower(right);
  solve_transposed(right);
}

void Cholesky::solve_lower(Matrix& right) const {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, size(right.rows()), size(right.cols()),
              1.0, factor_.data(), size(factor_.cols()), right.data(), size(right.cols()));
}

void Cholesky::solve_transposed(Matrix& right) const {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, size(right.rows()), size(right.cols()),
              1.0, factor_.data(), size(factor_.cols()), right.data(), size(right.cols()));
}

}  // namespace heed::decode
