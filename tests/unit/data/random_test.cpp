// SPDX-License-Identifier: MIT
// The stream against an independent implementation of xoshiro256++ and splitmix64 (Python integers,
// itself checked on the generator's published sequence), and against the distributions it promises.
#include <heed/data/random.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace heed::data {
namespace {

constexpr int draws = 200000;

TEST(RandomStream, GoldenBits) {
  RandomStream plain(1);
  for (const std::uint64_t bits :
       {0x4887886c7244e091U, 0x4cfafb3b6cc3ea99U, 0xfbce21167403a2c1U, 0x2a5a56f477b61858U}) {
    EXPECT_EQ(plain.bits(), bits);
  }
  RandomStream streamed(1, 1);
  for (const std::uint64_t bits :
       {0x8d6176e2f1f41696U, 0x4488d4fc02c8f1e9U, 0x0f2c0ec18a408301U, 0x4e7048398adb36f3U}) {
    EXPECT_EQ(streamed.bits(), bits);
  }
  RandomStream zero(0);
  EXPECT_EQ(zero.bits(), 0x84f09bf307c1073aU);
}

TEST(RandomStream, GoldenNumbers) {
  RandomStream uniform(1);
  for (const double value : {0.28331806800476356, 0.300704671867393, 0.983614032727941}) {
    EXPECT_EQ(uniform.uniform(), value);
  }
  // Through logarithm and cosine: the last digits belong to the mathematics library.
  RandomStream normal(1);
  for (const double value : {-0.25566636145936567, 1.4528411931339205, -0.6987199738208676}) {
    EXPECT_NEAR(normal.normal(), value, 1e-14);
  }
  RandomStream integer(1);
  for (const std::int64_t value : {105, 93, 65, 104, 103, 72, 118, 115}) EXPECT_EQ(integer.integer(60, 125), value);
}

TEST(RandomStream, UniformMomentsAndRange) {
  RandomStream random(3);
  double sum = 0;
  double squares = 0;
  double lowest = 1;
  double highest = 0;
  for (int k = 0; k < draws; ++k) {
    const double u = random.uniform();
    sum += u;
    squares += u * u;
    lowest = std::min(lowest, u);
    highest = std::max(highest, u);
  }
  EXPECT_GE(lowest, 0);
  EXPECT_LT(highest, 1);
  EXPECT_LT(lowest, 1e-4);
  EXPECT_GT(highest, 1 - 1e-4);
  EXPECT_NEAR(sum / draws, 0.5, 5 * std::sqrt(1.0 / 12 / draws));
  EXPECT_NEAR(squares / draws, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / draws));
}

TEST(RandomStream, NormalMoments) {
  RandomStream random(4);
  std::array<double, 5> moments{};
  for (int k = 0; k < draws; ++k) {
    const double x = random.normal();
    double power = 1;
    for (double& moment : moments) moment += (power *= x) / draws;
  }
  // Five standard errors: Var(x^m) = E x^2m - (E x^m)^2 = 1, 2, 15, 96, 945.
  const auto bound = [](double variance) { return 5 * std::sqrt(variance / draws); };
  EXPECT_NEAR(moments[0], 0, bound(1));
  EXPECT_NEAR(moments[1], 1, bound(2));
  EXPECT_NEAR(moments[2], 0, bound(15));
  EXPECT_NEAR(moments[3], 3, bound(96));
  EXPECT_NEAR(moments[4], 0, bound(945));
}

// Kolmogorov's distance to Phi; 1.95 / sqrt(n) is exceeded once in a thousand seeds.
TEST(RandomStream, NormalDistribution) {
  RandomStream random(5);
  std::vector<double> values(20000);
  std::generate(values.begin(), values.end(), [&] { return random.normal(); });
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double expected = std::erfc(-values[k] / std::numbers::sqrt2) / 2;
    distance = std::max(distance, std::abs(expected - ((static_cast<double>(k) + 0.5) / n)));
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(n));
}

// Chi-squared over 66 numbers: 65 degrees of freedom, 111 is beyond the 99.97 % point.
TEST(RandomStream, IntegersAreUniformWithBothEnds) {
  RandomStream random(6);
  std::array<int, 66> counts{};
  for (int k = 0; k < draws; ++k) {
    const std::int64_t drawn = random.integer(60, 125);
    ASSERT_GE(drawn, 60);
    ASSERT_LE(drawn, 125);
    ++counts[static_cast<std::size_t>(drawn - 60)];
  }
  const double expected = draws / 66.0;
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_squared, 111);
  EXPECT_GT(chi_squared, 30);  // and not too regular either
}

RC_GTEST_PROP(RandomStream, IntegerStaysInAnyRange, ()) {
  const auto a = *rc::gen::arbitrary<std::int64_t>();
  const auto b = *rc::gen::arbitrary<std::int64_t>();
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
  const auto drawn = random.integer(std::min(a, b), std::max(a, b));
  RC_ASSERT(drawn >= std::min(a, b));
  RC_ASSERT(drawn <= std::max(a, b));
}

TEST(RandomStream, IntegerOfOneNumberAndOfAllNumbers) {
  RandomStream random(7);
  EXPECT_EQ(random.integer(-3, -3), -3);
  RandomStream all(7);
  (void)all.bits();  // even a range of one takes a draw
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(static_cast<std::uint64_t>(random.integer(lowest, highest)), all.bits());
}

TEST(RandomStream, SameSeedAndStreamSameNumbers) {
  RandomStream first(42, 7);
  RandomStream second(42, 7);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(first.bits(), second.bits());
}

// Neighbouring streams and neighbouring seeds share no number and do not correlate.
TEST(RandomStream, StreamsAndSeedsAreIndependent) {
  const auto values = [](std::uint64_t seed, std::uint64_t stream) {
    RandomStream random(seed, stream);
    std::vector<double> drawn(50000);
    std::generate(drawn.begin(), drawn.end(), [&] { return random.normal(); });
    return drawn;
  };
  const auto reference = values(1, 1);
  for (const auto& other : {values(1, 2), values(2, 1), values(1, 0), values(0, 1), values(2, 2)}) {
    double correlation = 0;
    for (std::size_t k = 0; k < reference.size(); ++k) correlation += reference[k] * other[k];
    correlation /= static_cast<double>(reference.size());
    EXPECT_LT(std::abs(correlation), 4 / std::sqrt(static_cast<double>(reference.size())));
    EXPECT_NE(reference[0], other[0]);
  }
}

TEST(RandomStream, NumbersOfAStreamDoNotCorrelateInTime) {
  RandomStream random(9);
  double before = random.normal();
  double correlation = 0;
  for (int k = 0; k < draws; ++k) {
    const double x = random.normal();
    correlation += before * x / draws;
    before = x;
  }
  EXPECT_LT(std::abs(correlation), 4 / std::sqrt(draws));
}

}  // namespace
}  // namespace heed::data
