// SPDX-License-Identifier: MIT
// Blocks overlap by the longest lag, so every product lies inside a block; those inside an overlap lie in two, and the
// overlaps are taken off again. Inside a block, products at all lags are the transform of |spectrum|^2. Two blocks
// share a complex transform: of z = a + ib, the real part of conj(z(t)) z(t+d)' is a a' + b b', and that is all we
// want.
#include "decode/statistics/lagged_sums.h"

#include "decode/dense/dense.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace heed::decode {
namespace {

struct Blocks {
  Index first = 0;  // sample of the first block
  Index hop = 0;
  Index length = 0;
  Index count = 0;
};

// Real and imaginary part of conj(Z)' Z of each frequency up to one half, those above folded onto them; one row each
// of channels x channels numbers.
class Spectrum {
 public:
  Spectrum(Index transform_length, Index channels)
      : length_(transform_length),
        channels_(channels),
        folded_(Matrix::Zero(2 * (transform_length / 2 + 1), channels * channels)) {}

  // gram: lower triangle of [Zr Zi]' [Zr Zi].
  void add(Index frequency, const Matrix& gram) {
    const bool above = frequency > length_ / 2;
    const Index f = above ? length_ - frequency : frequency;
    const double sign = above ? -1 : 1;
    const Index n = channels_;
    for (Index i = 0; i < n; ++i) {
      double* re = folded_.row(2 * f).data() + i * n;
      double* im = folded_.row(2 * f + 1).data() + i * n;
      for (Index j = 0; j <= i; ++j) re[j] += gram(i, j) + gram(n + i, n + j);
      // Zr' Zi - Zi' Zr, of which the second lies below the diagonal.
      for (Index j = 0; j < n; ++j) im[j] += sign * (gram(n + j, i) - gram(n + i, j));
    }
  }

  // products[d] += factor * the products at lag d.
  void add_to(std::vector<Matrix>& products, double factor) {
    const Index n = channels_;
    for (Index f = 0; f <= length_ / 2; ++f) {
      double* re = folded_.row(2 * f).data();
      for (Index i = 0; i < n; ++i) {
        for (Index j = i + 1; j < n; ++j) re[i * n + j] = re[j * n + i];
      }
    }
    Matrix turns(static_cast<Index>(products.size()), folded_.rows());
    for (Index d = 0; d < turns.rows(); ++d) {
      for (Index f = 0; f <= length_ / 2; ++f) {
        const double angle =
            2 * std::numbers::pi * static_cast<double>((f * d) % length_) / static_cast<double>(length_);
        turns(d, 2 * f) = factor * std::cos(angle) / static_cast<double>(length_);
        turns(d, 2 * f + 1) = -factor * std::sin(angle) / static_cast<double>(length_);
      }
    }
    Matrix lags(turns.rows(), n * n);
    multiply(data::view(lags), data::view(turns), data::view(folded_));
    for (Index d = 0; d < turns.rows(); ++d) {
      products[static_cast<std::size_t>(d)] += Eigen::Map<const Matrix>(lags.row(d).data(), n, n);
    }
  }

 private:
  Index length_;
  Index channels_;
  Matrix folded_;
};

// The rows of a block into real or imaginary columns; zeros beyond it and beyond the signal.
void copy_block(MatrixView signal, Index first, Index length, double* target, Index transform_length) {
  const Index n = signal.columns;
  for (Index t = 0; t < transform_length; ++t) {
    double* row = target + t * 2 * n;
    if (t < length && first + t < signal.rows) {
      std::copy_n(signal.row(first + t).data(), n, row);
    } else {
      std::fill_n(row, n, 0.0);
    }
  }
}

void add_blocks(std::vector<Matrix>& products, MatrixView signal, const Blocks& blocks, double factor) {
  const Index n = signal.columns;
  const auto longest = static_cast<Index>(products.size()) - 1;
  Index transform_length = 4;
  while (transform_length < blocks.length + longest) transform_length *= 2;
  const RowFft fft(transform_length);

  constexpr Index batch = 128;  // pairs of blocks: bounds the memory for their spectra
  const Index pairs = (blocks.count + 1) / 2;
  const Index room = std::min(batch, pairs);
  Matrix work(transform_length, 2 * n);
  Matrix spectra(transform_length * room, 2 * n);  // slot-major: the pairs of a frequency lie together
  Matrix gram(2 * n, 2 * n);
  Spectrum spectrum(transform_length, n);
  for (Index done = 0; done < pairs; done += room) {
    const Index now = std::min(room, pairs - done);
    for (Index k = 0; k < now; ++k) {
      const Index block = 2 * (done + k);
      const Index first = blocks.first + block * blocks.hop;
      const bool alone = block + 1 == blocks.count;
      copy_block(signal, first, blocks.length, work.data(), transform_length);
      copy_block(signal, first + blocks.hop, alone ? 0 : blocks.length, work.data() + n, transform_length);
      fft.transform(work.data(), n);
      for (Index slot = 0; slot < transform_length; ++slot) spectra.row(slot * room + k) = work.row(slot);
    }
    for (Index slot = 0; slot < transform_length; ++slot) {
      gram.setZero();
      add_gram_lower(data::view(gram), data::view(std::as_const(spectra)).middle_rows(slot * room, now), 1);
      spectrum.add(fft.frequency_of(slot), gram);
    }
  }
  spectrum.add_to(products, factor);
}

}  // namespace

std::vector<Matrix> lag_products(MatrixView signal, Index longest) {
  std::vector<Matrix> products(static_cast<std::size_t>(longest + 1), Matrix::Zero(signal.columns, signal.columns));
  // A transform of eight times the lags spends a quarter of itself on zeros and overlap; longer ones leave the caches.
  Index transform_length = 32;
  while (transform_length < 8 * longest) transform_length *= 2;
  const Index length = transform_length - longest;
  const Index hop = length - longest;
  const Index count = std::max<Index>(1, (signal.rows - longest + hop - 1) / hop);
  add_blocks(products, signal, {0, hop, length, count}, 1);
  if (count > 1 && longest > 0) add_blocks(products, signal, {hop, hop, longest, count - 1}, -1);
  return products;
}

}  // namespace heed::decode
