// SPDX-License-Identifier: MIT
// Products at every lag against the plain sums; the row transform against its definition.
#include "decode/statistics/lagged_sums.h"

#include "support/decode_cases.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace heed::decode {
namespace {

TEST(RowFft, IsTheTransformForEveryPowerOfTwo) {
  for (const Index length : {1, 2, 4, 8, 32, 64, 128}) {
    test::Draws draws(5);
    const Matrix signal = draws.matrix(length, 6);  // three channels: real parts, then imaginary parts
    Matrix spectrum = signal;
    const RowFft fft(length);
    fft.transform(spectrum.data(), 3);
    for (Index slot = 0; slot < length; ++slot) {
      const Index f = fft.frequency_of(slot);
      for (Index c = 0; c < 3; ++c) {
        double re = 0;
        double im = 0;
        for (Index t = 0; t < length; ++t) {
          const double angle =
              -2 * std::numbers::pi * static_cast<double>(f * t % length) / static_cast<double>(length);
          re += signal(t, c) * std::cos(angle) - signal(t, 3 + c) * std::sin(angle);
          im += signal(t, c) * std::sin(angle) + signal(t, 3 + c) * std::cos(angle);
        }
        EXPECT_NEAR(spectrum(slot, c), re, 1e-12) << length << " " << f;
        EXPECT_NEAR(spectrum(slot, 3 + c), im, 1e-12) << length << " " << f;
      }
    }
  }
}

RC_GTEST_PROP(LagProducts, AreThePlainSums, ()) {
  const auto samples = *rc::gen::inRange<Index>(1, 700);
  const auto channels = *rc::gen::inRange<Index>(1, 6);
  const auto longest = *rc::gen::inRange<Index>(0, 40);
  test::Draws draws(*rc::gen::inRange<std::uint64_t>(1, 1000));
  const Matrix signal = draws.matrix(samples, channels);
  const std::vector<Matrix> products = lag_products(data::view(signal), longest);
  RC_ASSERT(products.size() == static_cast<std::size_t>(longest + 1));
  for (Index d = 0; d <= longest; ++d) {
    const Index pairs = std::max<Index>(0, samples - d);
    const Matrix expected = signal.topRows(pairs).transpose() * signal.bottomRows(pairs);
    const double error = (products[static_cast<std::size_t>(d)] - expected).cwiseAbs().maxCoeff();
    RC_ASSERT(error <= 1e-12 * static_cast<double>(samples));
  }
}

}  // namespace
}  // namespace heed::decode
