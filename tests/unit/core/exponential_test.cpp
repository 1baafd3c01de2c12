// SPDX-License-Identifier: MIT
#include <core/exponential.h>

#include "unit/core/exponential_lanes.h"
#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace {

using heed::core::exponential;
using heed::core::ExponentialConstants;
using heed::test::infinity;

template <typename Real>
class ExponentialTest : public testing::Test {};
TYPED_TEST_SUITE(ExponentialTest, heed::test::Reals);

// An even grid over the whole range and ten numbers around every place where the rounding to k changes.
template <typename Real>
std::vector<Real> arguments() {
  constexpr Real lowest = ExponentialConstants<Real>::lowest;
  constexpr int steps = 200'000;
  std::vector<Real> x;
  for (int k = 0; k <= steps; ++k) x.push_back(lowest * static_cast<Real>(k) / Real(steps));
  for (int k = 0; (k + 1) * std::numbers::ln2 < -lowest; ++k) {
    auto near = static_cast<Real>(-(k + 0.5L) * std::numbers::ln2_v<long double>);
    for (int n = 0; n < 5; ++n) near = std::nextafter(near, Real(-1000));
    for (int n = 0; n < 10; ++n) x.push_back(near = std::nextafter(near, Real(0)));
  }
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> exponent(-60, 0);  // tiny arguments, where e^x is nearly 1
  for (int k = 0; k < 10'000; ++k) x.push_back(static_cast<Real>(-std::exp2(exponent(generator))));
  return x;
}

TYPED_TEST(ExponentialTest, IsWithinTwoUlpOfTheTruth) {
  using Real = TypeParam;
  long double worst = 0;
  Real worst_at = 0;
  for (const Real x : arguments<Real>()) {
    const long double truth = std::exp(static_cast<long double>(x));
    const auto ulp =
        static_cast<long double>(std::numeric_limits<Real>::epsilon()) * std::exp2(std::floor(std::log2(truth)));
    const long double error = std::abs(exponential(x) - truth) / ulp;
    if (error > worst) {
      worst = error;
      worst_at = x;
    }
  }
  EXPECT_LE(worst, 2.0L) << "at x = " << worst_at;
  testing::Test::RecordProperty("worst_ulp", std::to_string(worst));
}

TYPED_TEST(ExponentialTest, OfZeroIsExactlyOne) {
  using Real = TypeParam;
  EXPECT_EQ(exponential(Real(0)), Real(1));
  EXPECT_EQ(exponential(Real(-0.0)), Real(1));
}

TYPED_TEST(ExponentialTest, NeverGivesASubnormalNumber) {
  using Real = TypeParam;
  constexpr Real lowest = ExponentialConstants<Real>::lowest;
  EXPECT_GE(exponential(lowest), std::numeric_limits<Real>::min());
  for (const Real x : {std::nextafter(lowest, Real(-1e4)), lowest - 1, Real(-1e30), std::numeric_limits<Real>::lowest(),
                       -infinity<Real>}) {
    EXPECT_EQ(exponential(x), 0) << "x = " << x;
    EXPECT_FALSE(std::signbit(exponential(x)));
  }
}

TYPED_TEST(ExponentialTest, DoesNotExceedOne) {
  using Real = TypeParam;
  for (const Real x : arguments<Real>()) ASSERT_LE(exponential(x), 1) << "x = " << x;
}

TYPED_TEST(ExponentialTest, WorksBeforeTheProgramRuns) {
  static_assert(exponential(TypeParam(0)) == 1);
  static_assert(exponential(TypeParam(-1)) > TypeParam(0.3678) && exponential(TypeParam(-1)) < TypeParam(0.3679));
  static_assert(exponential(TypeParam(-5000)) == 0);
}

// One call for each number, through a pointer the compiler cannot see through: no lanes here.
template <typename Real>
std::vector<Real> one_at_a_time(const std::vector<Real>& x) {
  Real (*volatile function)(Real) = [](Real value) { return exponential(value); };
  std::vector<Real> result;
  result.reserve(x.size());
  for (const Real value : x) result.push_back(function(value));
  return result;
}

template <typename Real>
void expect_same_bits(void (*lanes)(std::span<const Real>, std::span<Real>)) {
  using Bits = typename ExponentialConstants<Real>::Bits;
  std::vector<Real> x = arguments<Real>();
  for (const Real special : {-infinity<Real>, Real(-1e30), Real(-0.0)}) x.insert(x.begin() + 3, special);
  const std::vector<Real> alone = one_at_a_time(x);
  std::vector<Real> together(x.size());
  lanes(x, together);
  for (std::size_t k = 0; k < x.size(); ++k) {
    ASSERT_EQ(std::bit_cast<Bits>(alone[k]), std::bit_cast<Bits>(together[k])) << "x = " << x[k];
  }
}

TYPED_TEST(ExponentialTest, GivesTheSameBitsInSimdLanes) {
  expect_same_bits<TypeParam>(heed::test::exponential_baseline);
}

#ifdef HEED_X86_LANES
TYPED_TEST(ExponentialTest, GivesTheSameBitsInAvx2Lanes) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor has no AVX2";
  expect_same_bits<TypeParam>(heed::test::exponential_v3);
}

TYPED_TEST(ExponentialTest, GivesTheSameBitsInAvx512Lanes) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) {
    GTEST_SKIP() << "this processor has no AVX-512";
  }
  expect_same_bits<TypeParam>(heed::test::exponential_v4);
}
#endif

}  // namespace
