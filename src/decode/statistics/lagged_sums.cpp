// SPDX-License-Identifier: MIT
#include "decode/statistics/lagged_sums.h"

#include "decode/dense/dense.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heed::decode {
namespace {

using ConstMap = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;

constexpr Index piece = 1024;  // rows of a lagged matrix that are made at a time

ConstMap map(MatrixView view) { return {view.data, view.rows, view.columns, Eigen::OuterStride<>(view.stride)}; }

bool inside(Index t, MatrixView signal) { return t >= 0 && t < signal.rows; }

// Rows [first, first + count) of the lagged matrix.
void fill_lagged(Matrix& lagged, MatrixView signal, LagRange lags, Index first) {
  const Index n = signal.columns;
  for (Index t = 0; t < lagged.rows(); ++t) {
    for (Index l = 0; l < lags.count(); ++l) {
      const Index from = first + t + lags.first + l;
      double* target = lagged.row(t).data() + l * n;
      if (inside(from, signal)) {
        std::copy_n(signal.row(from).data(), n, target);
      } else {
        std::fill_n(target, n, 0.0);
      }
    }
  }
}

void mirror_lower(Matrix& gram) {
  gram.triangularView<Eigen::StrictlyUpper>() = gram.triangularView<Eigen::StrictlyLower>().transpose();
}

// Block (0, d) of the Gram matrix: all products at lag d, but those whose earlier sample lies outside the slice.
Matrix first_block(const Matrix& products, const ConstMap& x, LagRange lags, Index d) {
  Matrix block = products;
  for (Index t = 0; t < std::min(lags.first, x.rows() - d); ++t) {
    block.noalias() -= x.row(t).transpose().lazyProduct(x.row(t + d));
  }
  for (Index t = std::max<Index>(0, x.rows() + std::min<Index>(lags.first, 0)); t + d < x.rows(); ++t) {
    block.noalias() -= x.row(t).transpose().lazyProduct(x.row(t + d));
  }
  return block;
}

}  // namespace

Matrix lagged_gram(MatrixView eeg, LagRange lags) {
  const Index n = eeg.columns;
  const Index count = lags.count();
  const ConstMap x = map(eeg);
  const std::vector<Matrix> products = lag_products(eeg, count - 1);
  Matrix gram(count * n, count * n);
  for (Index d = 0; d < count; ++d) {
    gram.block(0, d * n, n, n) = first_block(products[static_cast<std::size_t>(d)], x, lags, d);
    for (Index i = 0; i + 1 + d < count; ++i) {
      const Index lag = lags.first + i;
      auto block = gram.block((i + 1) * n, (i + 1 + d) * n, n, n);
      block = gram.block(i * n, (i + d) * n, n, n);
      // One sample later: one product leaves at the start, one comes in at the end (lags below zero).
      if (lag >= 0 && lag + d < eeg.rows) block.noalias() -= x.row(lag).transpose().lazyProduct(x.row(lag + d));
      const Index entering = eeg.rows + lag;
      if (lag < 0 && entering >= 0 && entering + d < eeg.rows) {
        block.noalias() += x.row(entering).transpose().lazyProduct(x.row(entering + d));
      }
    }
  }
  for (Index i = 0; i < count; ++i) {
    for (Index k = i + 1; k < count; ++k) gram.block(k * n, i * n, n, n) = gram.block(i * n, k * n, n, n).transpose();
  }
  return gram;
}

Matrix narrow_lagged_gram(MatrixView stimulus, LagRange lags) {
  const Index width = lags.count() * stimulus.columns;
  Matrix gram = Matrix::Zero(width, width);
  Matrix lagged;
  for (Index first = 0; first < stimulus.rows; first += piece) {
    lagged.resize(std::min(piece, stimulus.rows - first), width);
    fill_lagged(lagged, stimulus, lags, first);
    add_gram_lower(data::view(gram), data::view(std::as_const(lagged)), 1);
  }
  mirror_lower(gram);
  return gram;
}

Matrix lagged_cross(MatrixView eeg, MatrixView stimulus, const DecoderLags& lags) {
  const Index n = eeg.columns;
  const Index m = stimulus.columns;
  // Products of all samples at each difference of lags.
  const LagRange differences{lags.stimulus.first - lags.eeg.last, lags.stimulus.last - lags.eeg.first};
  Matrix products = Matrix::Zero(n, differences.count() * m);
  Matrix lagged;
  for (Index first = 0; first < eeg.rows; first += piece) {
    lagged.resize(std::min(piece, eeg.rows - first), products.cols());
    fill_lagged(lagged, stimulus, differences, first);
    add_product(data::view(products), eeg.middle_rows(first, lagged.rows()), data::view(std::as_const(lagged)), 1);
  }
  const ConstMap x = map(eeg);
  const ConstMap y = map(stimulus);
  Matrix cross(lags.eeg.count() * n, lags.stimulus.count() * m);
  for (Index i = 0; i < lags.eeg.count(); ++i) {
    for (Index k = 0; k < lags.stimulus.count(); ++k) {
      const Index lag = lags.eeg.first + i;
      const Index difference = lags.stimulus.first + k - lag;
      auto block = cross.block(i * n, k * m, n, m);
      block = products.middleCols((difference - differences.first) * m, m);
      const auto take_off = [&](Index t) {
        if (inside(t + difference, stimulus)) {
          block.noalias() -= x.row(t).transpose().lazyProduct(y.row(t + difference));
        }
      };
      for (Index t = 0; t < std::min(lag, eeg.rows); ++t) take_off(t);
      for (Index t = std::max<Index>(0, eeg.rows + std::min<Index>(lag, 0)); t < eeg.rows; ++t) take_off(t);
    }
  }
  return cross;
}

Matrix energy_gram(MatrixView eeg, LagRange lags) {
  const Index n = eeg.columns;
  constexpr Index short_piece = 256;  // sums slide within a piece and start anew in the next: rounding stays small
  const ConstMap x = map(eeg);
  Matrix gram = Matrix::Zero(n, n);
  Matrix energies;
  for (Index first = 0; first < eeg.rows; first += short_piece) {
    energies.setZero(std::min(short_piece, eeg.rows - first), n);
    for (Index from = std::max<Index>(0, first + lags.first); from <= std::min(eeg.rows - 1, first + lags.last);
         ++from) {
      energies.row(0) += x.row(from).cwiseAbs2();
    }
    for (Index t = 1; t < energies.rows(); ++t) {
      energies.row(t) = energies.row(t - 1);
      const Index entering = first + t + lags.last;
      const Index leaving = first + t - 1 + lags.first;
      if (inside(entering, eeg)) energies.row(t) += x.row(entering).cwiseAbs2();
      if (inside(leaving, eeg)) energies.row(t) -= x.row(leaving).cwiseAbs2();
    }
    add_gram_lower(data::view(gram), data::view(std::as_const(energies)), 1);
  }
  mirror_lower(gram);
  return gram;
}

}  // namespace heed::decode
