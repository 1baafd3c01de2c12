// SPDX-License-Identifier: MIT
// The fading sum over windows against the product of lagged matrices that heed never makes.
#include "decode/adaptive/fading_gram.h"

#include "support/decode_cases.h"

#include <gtest/gtest.h>

#include <utility>

namespace heed::decode {
namespace {

constexpr Index channels = 3;
constexpr Index samples = 8;

Matrix window_gram(const Matrix& signal, Index first, Index lags) {
  Matrix lagged(samples, lags * channels);
  for (Index t = 0; t < samples; ++t) {
    for (Index lag = 0; lag < lags; ++lag) {
      lagged.row(t).segment(lag * channels, channels) = signal.row(first + t + lag);
    }
  }
  return lagged.transpose() * lagged;
}

double distance_of_lower(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) largest = std::max(largest, std::abs(a(i, j) - b(i, j)));
  }
  return largest;
}

TEST(FadingGram, IsTheFadingSumOfLaggedProducts) {
  for (const Index lags : {1, 2, 5, 12}) {
    test::Draws draws(3);
    const Matrix signal = draws.matrix(200, channels);
    constexpr Index per_block = 4;
    BlockOfWindows block(channels, lags, per_block);
    FadingGram sum(channels, lags);
    const double kept = 0.9;
    Matrix expected = Matrix::Zero(lags * channels, lags * channels);
    for (Index window = 0; window < 20; ++window) {
      block.fade(kept);
      expected *= kept;
      if (window % 7 != 3) {  // a window that is missing
        block.add(data::view(signal).middle_rows(window * samples, samples + lags - 1));
        expected += window_gram(signal, window * samples, lags);
      }
      if (window % per_block != per_block - 1) continue;
      sum.take(block);
      block.start_next();
      Matrix gram(lags * channels, lags * channels);
      sum.write_lower(gram);
      EXPECT_LE(distance_of_lower(gram, expected), 1e-12 * expected.norm()) << lags << " lags, window " << window;
    }
  }
}

}  // namespace
}  // namespace heed::decode
