// SPDX-License-Identifier: MIT
// Against the definition in long double, with all samples at hand.
#include <gtest/gtest.h>
#include <heed/core/window_correlation.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "unit/core/real_types.h"

namespace heed::core {
namespace {

template <typename Real>
class WindowCorrelationTest : public testing::Test {};
TYPED_TEST_SUITE(WindowCorrelationTest, test::Reals);

long double pearson(const std::vector<long double>& x, const std::vector<long double>& y) {
  const auto count = static_cast<long double>(x.size());
  long double mean_x = 0;
  long double mean_y = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    mean_x += x[t] / count;
    mean_y += y[t] / count;
  }
  long double xx = 0;
  long double yy = 0;
  long double xy = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    xx += (x[t] - mean_x) * (x[t] - mean_x);
    yy += (y[t] - mean_y) * (y[t] - mean_y);
    xy += (x[t] - mean_x) * (y[t] - mean_y);
  }
  return xy / std::sqrt(xx * yy);
}

// Envelopes that lie far from 0, as those of loud speech do: single precision has to keep their digits.
TYPED_TEST(WindowCorrelationTest, IsPearsons) {
  using Real = TypeParam;
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  auto correlation = *WindowCorrelation<Real, 8>::make(2);
  for (int window = 0; window < 50; ++window) {
    std::vector<long double> x;
    std::array<std::vector<long double>, 2> y;
    const int samples = window == 0 ? 2 : 20 + (10 * window);
    for (int t = 0; t < samples; ++t) {
      const auto reconstruction = static_cast<Real>(10 + normal(generator));
      const std::array envelopes{
          static_cast<Real>(50 + (0.3 * static_cast<double>(reconstruction)) + normal(generator)),
          static_cast<Real>(50 + normal(generator))};
      x.push_back(reconstruction);
      for (std::size_t j = 0; j < 2; ++j) y[j].push_back(envelopes[j]);
      ASSERT_EQ(correlation.add(reconstruction, envelopes), Step::updated);
    }
    ASSERT_EQ(correlation.samples(), static_cast<std::size_t>(samples));
    std::array<Real, 2> scores{};
    ASSERT_EQ(correlation.finish(scores), Step::updated);
    const double tolerance = sizeof(Real) == sizeof(double) ? 1e-13 : 5e-6;
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(scores[j], static_cast<double>(pearson(x, y[j])), tolerance);
  }
}

TYPED_TEST(WindowCorrelationTest, HoldsWindowsWithoutACorrelationAndBeginsAnew) {
  using Real = TypeParam;
  using Correlation = WindowCorrelation<Real, 8>;
  auto correlation = *Correlation::make(2);
  std::array<Real, 2> scores{};
  const auto expect_held = [&] {
    EXPECT_EQ(correlation.finish(scores), Step::held);
    EXPECT_TRUE(std::isnan(scores[0]) && std::isnan(scores[1]));
    EXPECT_EQ(correlation.samples(), 0U);
  };
  expect_held();  // no sample
  correlation.add(Real{1}, std::array<Real, 2>{1, 2});
  expect_held();  // one
  for (const Real x : {Real{1}, Real{2}, Real{3}}) correlation.add(x, std::array<Real, 2>{x, 5});
  expect_held();  // an envelope that never moves
  for (const Real x : {Real{1}, test::nan<Real>, Real{3}}) correlation.add(x, std::array<Real, 2>{1, 2});
  expect_held();
  for (const Real x : {Real{1}, Real{2}, Real{3}}) correlation.add(x, std::array<Real, 2>{2 * x, -x});
  EXPECT_EQ(correlation.finish(scores), Step::updated);  // what was broken is forgotten
  EXPECT_NEAR(scores[0], 1, 1e-6);
  EXPECT_NEAR(scores[1], -1, 1e-6);
  EXPECT_LE(scores[0], 1);
  EXPECT_GE(scores[1], -1);
}

TYPED_TEST(WindowCorrelationTest, RefusesAnotherNumberOfSpeakers) {
  using Correlation = WindowCorrelation<TypeParam, 8>;
  EXPECT_FALSE(Correlation::make(0));
  EXPECT_TRUE(Correlation::make(1));
  EXPECT_TRUE(Correlation::make(8));
  EXPECT_FALSE(Correlation::make(9));
  auto correlation = *Correlation::make(2);
  std::array<TypeParam, 3> three{};
  EXPECT_EQ(correlation.add(1, three), Step::wrong_size);
  EXPECT_EQ(correlation.finish(three), Step::wrong_size);
  EXPECT_EQ(correlation.samples(), 0U);
}

}  // namespace
}  // namespace heed::core
