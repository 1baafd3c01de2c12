// SPDX-License-Identifier: MIT
#include <heed/core/attention_filter.h>

#include "unit/core/long_double_oracle.h"
#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace {

using heed::core::AttentionFilter;
using heed::core::Step;
using heed::core::StickyChain;
using heed::test::infinity;
using heed::test::largest_difference;
using heed::test::nan;
using heed::test::tolerance;

template <typename Real>
class AttentionFilterTest : public testing::Test {
 public:
  using Filter = AttentionFilter<Real, 4>;
  static StickyChain<Real> chain(std::size_t states, double p = 0.01) {
    return *StickyChain<Real>::make(states, static_cast<Real>(p));
  }
  static std::vector<Real> belief(const Filter& filter) { return {filter.belief().begin(), filter.belief().end()}; }
};
TYPED_TEST_SUITE(AttentionFilterTest, heed::test::Reals);

TYPED_TEST(AttentionFilterTest, RefusesMoreStatesThanItHasRoomFor) {
  EXPECT_TRUE(TestFixture::Filter::make(TestFixture::chain(4)));
  EXPECT_FALSE(TestFixture::Filter::make(TestFixture::chain(5)));
}

TYPED_TEST(AttentionFilterTest, RefusesWhatIsNotADistribution) {
  using Real = TypeParam;
  const std::vector<std::vector<Real>> bad{{1},
                                           {Real(0.5), Real(0.25), Real(0.25)},
                                           {Real(0.5), Real(0.4)},
                                           {Real(0.6), Real(0.5)},
                                           {Real(1.5), Real(-0.5)},
                                           {nan<Real>, 1},
                                           {infinity<Real>, 0},
                                           {0, 0}};
  for (const auto& initial : bad) EXPECT_FALSE(TestFixture::Filter::make(TestFixture::chain(2), initial));
}

TYPED_TEST(AttentionFilterTest, StartsUniformOrAsTold) {
  using Real = TypeParam;
  const auto uniform = TestFixture::Filter::make(TestFixture::chain(4));
  EXPECT_EQ(TestFixture::belief(*uniform), std::vector<Real>(4, Real(0.25)));
  const std::vector<Real> initial{Real(0.125), Real(0.875)};
  const auto told = TestFixture::Filter::make(TestFixture::chain(2), initial);
  EXPECT_EQ(TestFixture::belief(*told), initial);
}

// The first window is absorbed without predicting: alpha_0 = pi b(0).
TYPED_TEST(AttentionFilterTest, FirstWindowDoesNotPredict) {
  using Real = TypeParam;
  const std::vector<Real> initial{1, 0};
  auto filter = TestFixture::Filter::make(TestFixture::chain(2, 0.3), initial);
  const std::vector<Real> against{-3, 0};
  EXPECT_EQ(filter->step(against), Step::updated);
  EXPECT_EQ(TestFixture::belief(*filter), initial) << "a speaker of initial probability 0 stays at 0";
  filter->step(against);
  EXPECT_GT(filter->belief()[1], Real(0.5)) << "and can be reached from the second window on";
}

TYPED_TEST(AttentionFilterTest, EqualsTheDenseRecursionInLongDouble) {
  using Real = TypeParam;
  for (const std::size_t states : {2, 3, 4}) {
    for (const double p : {1e-6, 1e-3, 0.03, 0.25}) {
      auto windows = heed::test::random_windows<Real>(2000, states, 1.0);
      for (std::size_t t = 17; t < windows.size(); t += 71) windows[t][t % states] = nan<Real>;
      for (std::size_t t = 23; t < windows.size(); t += 97) windows[t][t % states] = -infinity<Real>;
      std::vector<Real> initial(states, 0);
      initial[0] = Real(0.25);
      initial[1] = Real(0.75);
      const heed::test::Problem problem{
          heed::test::dense_sticky(states, static_cast<long double>(static_cast<Real>(p))),
          heed::test::Vector(initial.begin(), initial.end()), heed::test::widened(windows)};
      const auto expected = heed::test::dense_filter(problem);
      auto filter = TestFixture::Filter::make(TestFixture::chain(states, p), initial);
      for (std::size_t t = 0; t < windows.size(); ++t) {
        const bool missing = heed::test::is_missing(problem.log_likelihoods[t]);
        ASSERT_EQ(filter->step(windows[t]), missing ? Step::held : Step::updated);
        ASSERT_LE(largest_difference(filter->belief(), expected[t]), tolerance<Real>)
            << "window " << t << ", p = " << p;
      }
    }
  }
}

// N = 2 in closed form: lambda_t = l_t + 2 atanh((1-2p) tanh(lambda_{t-1} / 2))
TYPED_TEST(AttentionFilterTest, EqualsTheClosedFormOfTwoSpeakers) {
  using Real = TypeParam;
  const auto p = static_cast<Real>(1e-3);
  const auto windows = heed::test::random_windows<Real>(500, 2, 0.7);
  auto filter = TestFixture::Filter::make(TestFixture::chain(2, 1e-3));
  long double log_odds = 0;
  for (const auto& window : windows) {
    log_odds = 2 * std::atanh((1 - (2.0L * p)) * std::tanh(log_odds / 2));
    log_odds += static_cast<long double>(window[0]) - window[1];
    filter->step(window);
    const long double expected = 1 / (1 + std::exp(-log_odds));
    ASSERT_LE(std::abs(filter->belief()[0] - expected), tolerance<Real>);
  }
}

TYPED_TEST(AttentionFilterTest, HeldWindowEqualsAFlatOne) {
  using Real = TypeParam;
  auto held = TestFixture::Filter::make(TestFixture::chain(3));
  auto flat = held;
  const std::vector<Real> window{1, 0, -2};
  const std::vector<std::vector<Real>> broken{{nan<Real>, 0, 0}, std::vector<Real>(3, -infinity<Real>)};
  const std::vector<Real> zeros(3, 0);
  held->step(window);
  flat->step(window);
  for (const auto& missing : broken) {
    EXPECT_EQ(held->step(missing), Step::held);
    EXPECT_EQ(flat->step(zeros), Step::updated);
    EXPECT_LE(largest_difference(held->belief(), {flat->belief().begin(), flat->belief().end()}),
              tolerance<Real> / 100);
    for (const Real weight : held->weights()) EXPECT_EQ(weight, 1);
  }
}

TYPED_TEST(AttentionFilterTest, AWrongNumberOfLogLikelihoodsIsNoWindow) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(3));
  const std::vector<Real> window{1, 0, -2};
  const std::vector<Real> pair{0, 5};
  const auto untouched = *filter;
  EXPECT_EQ(filter->step(pair), Step::wrong_size) << "before the first window";
  EXPECT_EQ(TestFixture::belief(*filter), TestFixture::belief(untouched));
  auto without = untouched;
  filter->step(window);
  without.step(window);
  EXPECT_EQ(filter->step(pair), Step::wrong_size);
  EXPECT_EQ(filter->step({}), Step::wrong_size);
  filter->step(window);
  without.step(window);
  EXPECT_EQ(TestFixture::belief(*filter), TestFixture::belief(without)) << "as if it had never come";
  EXPECT_EQ(filter->decision(), without.decision());
}

TYPED_TEST(AttentionFilterTest, TimePassesThroughAHeldFirstWindow) {
  using Real = TypeParam;
  const std::vector<Real> initial{1, 0};
  auto filter = TestFixture::Filter::make(TestFixture::chain(2, 0.25), initial);
  const std::vector<Real> missing{nan<Real>, 0};
  EXPECT_EQ(filter->step(missing), Step::held);
  EXPECT_EQ(TestFixture::belief(*filter), initial);
  filter->step(missing);
  EXPECT_EQ(TestFixture::belief(*filter), (std::vector<Real>{Real(0.75), Real(0.25)}));
}

TYPED_TEST(AttentionFilterTest, ResetForgetsTheDecision) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(2));
  const std::vector<Real> right{0, 1};
  const std::vector<Real> tie{0, 0};
  filter->step(right);
  ASSERT_EQ(filter->decision(), 1U);
  filter->reset();
  EXPECT_EQ(filter->decision(), 0U);
  filter->step(tie);
  EXPECT_EQ(filter->decision(), 0U);
}

TYPED_TEST(AttentionFilterTest, ResetIsANewBeginning) {
  using Real = TypeParam;
  const std::vector<Real> initial{Real(0.25), Real(0.25), Real(0.5)};
  auto filter = TestFixture::Filter::make(TestFixture::chain(3), initial);
  const auto fresh = filter;
  const auto windows = heed::test::random_windows<Real>(20, 3, 1.0);
  for (const auto& window : windows) filter->step(window);
  filter->reset();
  EXPECT_EQ(TestFixture::belief(*filter), initial);
  EXPECT_EQ(filter->decision(), 0U);
  auto first = fresh;
  for (const auto& window : windows) {
    first->step(window);
    filter->step(window);
    ASSERT_EQ(TestFixture::belief(*filter), TestFixture::belief(*first));
    ASSERT_EQ(filter->decision(), first->decision());
  }
}

TYPED_TEST(AttentionFilterTest, DecidesByTheOneRule) {
  using Real = TypeParam;
  auto filter = TestFixture::Filter::make(TestFixture::chain(2, 0.5));  // p = 1/N: each window stands alone
  const std::vector<Real> right{0, 1};
  const std::vector<Real> tie{0, 0};
  filter->step(tie);
  EXPECT_EQ(filter->decision(), 0U);
  filter->step(right);
  EXPECT_EQ(filter->decision(), 1U);
  filter->step(tie);
  EXPECT_EQ(filter->decision(), 1U);
}

TYPED_TEST(AttentionFilterTest, CanBeMadeBeforeTheProgramRuns) {
  static constexpr auto filter = AttentionFilter<TypeParam, 4>::make(*StickyChain<TypeParam>::make(2, TypeParam(0.01)));
  static_assert(filter.has_value());
  EXPECT_EQ(filter->states(), 2U);
}

}  // namespace
