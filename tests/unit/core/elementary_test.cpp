// SPDX-License-Identifier: MIT
// Against the mathematical library in long double.
#include <gtest/gtest.h>
#include <heed/core/elementary.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/core/real_types.h"

namespace heed::core {
namespace {

template <typename Real>
class Elementary : public testing::Test {};
TYPED_TEST_SUITE(Elementary, test::Reals);

using test::infinity;

// In ulp of the expected number.
template <typename Real>
long double error(Real found, long double expected) {
  const long double unit = std::abs(expected) * std::numeric_limits<Real>::epsilon();
  return std::abs(static_cast<long double>(found) - expected) /
         std::max(unit, static_cast<long double>(std::numeric_limits<Real>::denorm_min()));
}

// use(x) for numbers that lie densely, in ratio, between the bounds.
template <typename Real, typename Use>
void for_many(Real from, Real to, const Use& use) {
  for (Real x = from; x < to; x *= Real(1.00137)) use(x);
}

TYPED_TEST(Elementary, Logarithm) {
  using Real = TypeParam;
  for_many<Real>(std::numeric_limits<Real>::denorm_min() * 1000, std::numeric_limits<Real>::max() / 2,
                 [](Real x) { ASSERT_LT(error(natural_logarithm(x), std::log(static_cast<long double>(x))), 4) << x; });
  // Beside 1, where it vanishes.
  for_many<Real>(Real(0.7), Real(1.5),
                 [](Real x) { ASSERT_LT(error(natural_logarithm(x), std::log(static_cast<long double>(x))), 4) << x; });
  EXPECT_EQ(natural_logarithm(Real{1}), 0);
  EXPECT_EQ(natural_logarithm(Real{0}), -infinity<Real>);
  EXPECT_EQ(natural_logarithm(infinity<Real>), infinity<Real>);
  EXPECT_TRUE(std::isnan(natural_logarithm(Real{-1})));
  EXPECT_TRUE(std::isnan(natural_logarithm(std::numeric_limits<Real>::quiet_NaN())));
}

TYPED_TEST(Elementary, HyperbolicTangents) {
  using Real = TypeParam;
  for_many<Real>(Real(1e-30), Real(0.9999999), [](Real x) {
    ASSERT_LT(error(inverse_hyperbolic_tangent(x), std::atanh(static_cast<long double>(x))), 4) << x;
    ASSERT_EQ(inverse_hyperbolic_tangent(-x), -inverse_hyperbolic_tangent(x));
  });
  for_many<Real>(Real(1e-30), Real(200), [](Real x) {
    ASSERT_LT(error(hyperbolic_tangent(x), std::tanh(static_cast<long double>(x))), 4) << x;
    ASSERT_EQ(hyperbolic_tangent(-x), -hyperbolic_tangent(x));
  });
  EXPECT_EQ(inverse_hyperbolic_tangent(Real{0}), 0);
  EXPECT_EQ(inverse_hyperbolic_tangent(Real{1}), infinity<Real>);
  EXPECT_TRUE(std::isnan(inverse_hyperbolic_tangent(Real{2})));
  EXPECT_EQ(hyperbolic_tangent(infinity<Real>), 1);
  EXPECT_EQ(hyperbolic_tangent(-infinity<Real>), -1);
  EXPECT_TRUE(std::isnan(hyperbolic_tangent(std::numeric_limits<Real>::quiet_NaN())));
}

TYPED_TEST(Elementary, PowersOfTen) {
  using Real = TypeParam;
  for (Real x = -6; x < 6; x += Real(0.00137)) {  // 120 dB to both sides; a product's rounding grows with |x|
    ASSERT_LT(error(power_of_ten(x), std::pow(10.0L, static_cast<long double>(x))), 4 + (3 * std::abs(x))) << x;
  }
  EXPECT_EQ(power_of_ten(Real{0}), 1);
  EXPECT_EQ(power_of_ten(Real{-1000}), 0);
  EXPECT_EQ(power_of_ten(Real{1000}), infinity<Real>);
  EXPECT_TRUE(std::isnan(power_of_ten(std::numeric_limits<Real>::quiet_NaN())));
}

TYPED_TEST(Elementary, SquareRoots) {
  using Real = TypeParam;
  for_many<Real>(Real(1e-30), Real(1e30), [](Real x) { ASSERT_EQ(square_root(x), std::sqrt(x)); });
  EXPECT_EQ(square_root(Real{0}), 0);
  EXPECT_TRUE(std::isnan(square_root(Real{-1})));
}

}  // namespace
}  // namespace heed::core
