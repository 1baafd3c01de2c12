// SPDX-License-Identifier: MIT
#include <heed/core/fixed_lag_filter.h>

#include "unit/core/long_double_oracle.h"
#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace {

using heed::core::FixedLagFilter;
using heed::core::Step;
using heed::core::StickyChain;
using heed::test::infinity;
using heed::test::largest_difference;
using heed::test::nan;
using heed::test::tolerance;

constexpr std::size_t lag = 3;

template <typename Real>
class FixedLagFilterTest : public testing::Test {
 public:
  using Filter = FixedLagFilter<Real, 4, lag>;
  static StickyChain<Real> chain(std::size_t states, double p = 0.05) {
    return *StickyChain<Real>::make(states, static_cast<Real>(p));
  }
  static std::vector<Real> look_back(const Filter& filter, std::size_t age) {
    std::vector<Real> posterior(filter.states());
    EXPECT_TRUE(filter.look_back(age, posterior));
    return posterior;
  }
};
TYPED_TEST_SUITE(FixedLagFilterTest, heed::test::Reals);

TYPED_TEST(FixedLagFilterTest, RefusesWhatTheAttentionFilterRefuses) {
  using Real = TypeParam;
  EXPECT_FALSE(TestFixture::Filter::make(TestFixture::chain(5)));
  const std::vector<Real> initial{Real(0.5), Real(0.6)};
  EXPECT_FALSE(TestFixture::Filter::make(TestFixture::chain(2), initial));
}

TYPED_TEST(FixedLagFilterTest, HasNothingToLookBackOnAtFirst) {
  using Real = TypeParam;
  const auto filter = TestFixture::Filter::make(TestFixture::chain(2));
  std::vector<Real> untouched{7, 7};
  EXPECT_EQ(filter->depth(), 0U);
  EXPECT_FALSE(filter->look_back(0, untouched));
  EXPECT_EQ(untouched, (std::vector<Real>{7, 7}));
}

TYPED_TEST(FixedLagFilterTest, RefusesAgesItNoLongerHoldsAndRowsOfAnotherLength) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(2));
  const std::vector<Real> window{0, 1};
  for (int t = 0; t < 10; ++t) filter->step(window);
  EXPECT_EQ(filter->depth(), lag + 1);
  std::vector<Real> row{7, 7};
  EXPECT_TRUE(filter->look_back(lag, row));
  row = {7, 7};
  EXPECT_FALSE(filter->look_back(lag + 1, row));
  EXPECT_FALSE(filter->look_back(std::numeric_limits<std::size_t>::max(), row));
  EXPECT_EQ(row, (std::vector<Real>{7, 7}));
  std::vector<Real> wide{7, 7, 7};
  EXPECT_FALSE(filter->look_back(0, wide));
  EXPECT_EQ(wide, (std::vector<Real>{7, 7, 7}));
}

TYPED_TEST(FixedLagFilterTest, KeepsNoWindowOfTheWrongSize) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(2));
  filter->step(std::vector<Real>{0, 1});
  std::vector<Real> before(2);
  ASSERT_TRUE(filter->look_back(0, before));
  EXPECT_EQ(filter->step(std::vector<Real>{0, 1, 2}), Step::wrong_size);
  EXPECT_EQ(filter->depth(), 1);
  std::vector<Real> after(2);
  ASSERT_TRUE(filter->look_back(0, after));
  EXPECT_EQ(after, before);
}

// Every age after every window, against the sum over all paths of the windows so far.
TYPED_TEST(FixedLagFilterTest, EqualsTheSumOverAllPathsAtEveryAge) {
  using Real = TypeParam;
  for (const std::size_t states : {2, 3, 4}) {
    auto windows = heed::test::random_windows<Real>(8, states, 2.0);
    windows[3][0] = nan<Real>;
    windows[5][1] = -infinity<Real>;
    std::vector<Real> initial(states, 0);
    initial[0] = Real(0.375);
    initial[1] = Real(0.625);
    heed::test::Problem problem{heed::test::dense_sticky(states, static_cast<long double>(static_cast<Real>(0.05))),
                                heed::test::Vector(initial.begin(), initial.end()),
                                {}};
    auto filter = TestFixture::Filter::make(TestFixture::chain(states), initial);
    for (std::size_t t = 0; t < windows.size(); ++t) {
      EXPECT_EQ(filter->step(windows[t]), t == 3 ? Step::held : Step::updated);
      problem.log_likelihoods.push_back(heed::test::widened<Real>({windows[t]})[0]);
      ASSERT_EQ(filter->depth(), std::min(t + 1, lag + 1));
      for (std::size_t age = 0; age < filter->depth(); ++age) {
        const auto expected = heed::test::enumerated_posterior(problem, t - age);
        ASSERT_LE(largest_difference(TestFixture::look_back(*filter, age), expected), tolerance<Real>)
            << "window " << t << ", age " << age;
      }
    }
  }
}

TYPED_TEST(FixedLagFilterTest, AgeZeroIsTheCausalFilter) {
  using Real = TypeParam;
  auto lagged = TestFixture::Filter::make(TestFixture::chain(3));
  auto causal = heed::core::AttentionFilter<Real, 4>::make(TestFixture::chain(3));
  for (const auto& window : heed::test::random_windows<Real>(100, 3, 1.0)) {
    lagged->step(window);
    causal->step(window);
    const auto now = TestFixture::look_back(*lagged, 0);
    ASSERT_LE(largest_difference(now, {causal->belief().begin(), causal->belief().end()}),
              4 * std::numeric_limits<Real>::epsilon());
  }
}

TYPED_TEST(FixedLagFilterTest, LookingBackChangesNothing) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(2));
  for (const auto& window : heed::test::random_windows<Real>(6, 2, 1.0)) filter->step(window);
  const auto once = TestFixture::look_back(*filter, 2);
  EXPECT_EQ(TestFixture::look_back(*filter, 2), once);
}

TYPED_TEST(FixedLagFilterTest, ResetForgetsTheWindows) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(2));
  const auto windows = heed::test::random_windows<Real>(6, 2, 1.0);
  for (const auto& window : windows) filter->step(window);
  filter->reset();
  EXPECT_EQ(filter->depth(), 0U);
  auto fresh = TestFixture::Filter::make(TestFixture::chain(2));
  for (const auto& window : windows) {
    filter->step(window);
    fresh->step(window);
  }
  for (std::size_t age = 0; age <= lag; ++age) {
    EXPECT_EQ(TestFixture::look_back(*filter, age), TestFixture::look_back(*fresh, age));
  }
}

}  // namespace
