// SPDX-License-Identifier: MIT
#include <heed/core/attention_filter.h>
#include <heed/core/bank_filter.h>

#include "unit/core/long_double_oracle.h"
#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

using heed::core::AttentionFilter;
using heed::core::BankFilter;
using heed::core::Step;
using heed::core::StickyChain;
using heed::test::infinity;
using heed::test::largest_difference;
using heed::test::nan;
using heed::test::tolerance;

template <typename Real>
class BankFilterTest : public testing::Test {
 public:
  using Filter = BankFilter<Real, 4, 7>;
  static Filter made(std::size_t states, const std::vector<Real>& p, const std::vector<Real>& initial = {}) {
    return *Filter::make(states, p, initial);
  }
};
TYPED_TEST_SUITE(BankFilterTest, heed::test::Reals);

TYPED_TEST(BankFilterTest, RefusesWhatIsNoBank) {
  using Real = TypeParam;
  EXPECT_TRUE(TestFixture::Filter::make(2, std::vector<Real>{Real(0.01), Real(0.5)}));
  EXPECT_TRUE(TestFixture::Filter::make(4, std::vector<Real>(7, Real(0.01)))) << "as much as it has room for";
  EXPECT_TRUE(TestFixture::Filter::make(2, std::vector<Real>{heed::core::smallest_bank_probability<Real>}));
  EXPECT_FALSE(TestFixture::Filter::make(2, std::vector<Real>{}));
  EXPECT_FALSE(TestFixture::Filter::make(2, std::vector<Real>(8, Real(0.01)))) << "more than it has room for";
  EXPECT_FALSE(TestFixture::Filter::make(5, std::vector<Real>{Real(0.01)}));
  EXPECT_FALSE(TestFixture::Filter::make(1, std::vector<Real>{Real(0.01)}));
  for (const Real p : {Real(0), Real(-0.1), Real(0.51), nan<Real>, infinity<Real>, Real(1e-37)}) {
    const bool first = TestFixture::Filter::make(2, std::vector<Real>{p}).has_value();
    const bool later = TestFixture::Filter::make(2, std::vector<Real>{Real(0.01), p}).has_value();
    const bool possible = std::is_same_v<Real, double> && p == Real(1e-37);
    EXPECT_EQ(first, possible) << p;
    EXPECT_EQ(later, possible) << p;
  }
  EXPECT_FALSE(TestFixture::Filter::make(2, std::vector<Real>{Real(0.01)}, std::vector<Real>{Real(0.5), Real(0.4)}));
  EXPECT_FALSE(TestFixture::Filter::make(2, std::vector<Real>{Real(0.01)}, std::vector<Real>{1}));
}

TYPED_TEST(BankFilterTest, OfOneProbabilityIsTheFilterToTheBit) {
  using Real = TypeParam;
  for (const std::size_t states : {2, 3, 4}) {
    for (const double p : {1e-6, 1e-3, 0.03, 0.25}) {
      auto windows = heed::test::random_windows<Real>(2000, states, 2.0);
      for (std::size_t t = 0; t < windows.size(); t += 31) windows[t][t % states] = nan<Real>;
      for (std::size_t t = 23; t < windows.size(); t += 97) windows[t][t % states] = -infinity<Real>;
      std::vector<Real> initial(states, 0);
      initial[0] = Real(0.25);
      initial[1] = Real(0.75);
      const auto chain = StickyChain<Real>::make(states, static_cast<Real>(p));
      auto filter = AttentionFilter<Real, 4>::make(*chain, initial);
      auto bank = TestFixture::made(states, {static_cast<Real>(p)}, initial);
      for (const auto& window : windows) {
        ASSERT_EQ(bank.step(window), filter->step(window));
        for (std::size_t j = 0; j < states; ++j) ASSERT_EQ(bank.belief()[j], filter->belief()[j]);
        ASSERT_EQ(bank.decision(), filter->decision());
        ASSERT_EQ(bank.switch_posterior()[0], 1);
      }
    }
  }
}

// Each filter by the dense recursion in long double, their weights by the evidence of each, in logarithms.
TYPED_TEST(BankFilterTest, EqualsTheDenseRecursionsInLongDouble) {
  using Real = TypeParam;
  const std::vector<Real> probabilities{Real(1e-4), Real(1e-2), Real(0.1), Real(0.25)};
  for (const std::size_t states : {2, 3, 4}) {
    auto windows = heed::test::random_windows<Real>(600, states, 0.7);
    for (std::size_t t = 17; t < windows.size(); t += 71) windows[t][t % states] = nan<Real>;
    auto bank = TestFixture::made(states, probabilities);
    const heed::test::Vector initial(states, 1.0L / static_cast<long double>(states));
    std::vector<heed::test::Vector> beliefs(probabilities.size(), initial);
    heed::test::Vector log_weights(probabilities.size(), 0);
    for (std::size_t t = 0; t < windows.size(); ++t) {
      bank.step(windows[t]);
      const heed::test::Vector log_likelihood(windows[t].begin(), windows[t].end());
      heed::test::Vector mixed(states, 0);
      for (std::size_t g = 0; g < probabilities.size(); ++g) {
        const auto p = static_cast<long double>(probabilities[g]);
        long double sum = 0;
        for (std::size_t j = 0; j < states; ++j) {
          if (t > 0) beliefs[g][j] = ((1 - (static_cast<long double>(states) * p)) * beliefs[g][j]) + p;
          if (!heed::test::is_missing(log_likelihood)) beliefs[g][j] *= std::exp(log_likelihood[j]);
          sum += beliefs[g][j];
        }
        for (long double& belief : beliefs[g]) belief /= sum;
        if (!heed::test::is_missing(log_likelihood)) log_weights[g] += std::log(sum);
      }
      const long double largest = *std::max_element(log_weights.begin(), log_weights.end());
      long double total = 0;
      for (const long double log_weight : log_weights) total += std::exp(log_weight - largest);
      for (std::size_t g = 0; g < probabilities.size(); ++g) {
        const long double weight = std::exp(log_weights[g] - largest) / total;
        ASSERT_LE(std::abs(bank.switch_posterior()[g] - weight), 20 * tolerance<Real>) << "window " << t;
        for (std::size_t j = 0; j < states; ++j) mixed[j] += weight * beliefs[g][j];
      }
      ASSERT_LE(largest_difference(bank.belief(), mixed), 20 * tolerance<Real>) << "window " << t;
    }
  }
}

// 1e5 windows of a listener who never switches, then one who always does: the weights of the first are beyond what a
// float or double holds, and come back when they should.
TYPED_TEST(BankFilterTest, AValueThatWasWrongForHoursComesBack) {
  using Real = TypeParam;
  auto bank = TestFixture::made(2, {Real(0.001), Real(0.4)});
  const std::array<std::vector<Real>, 2> windows{{{3, 0}, {0, 3}}};
  for (int t = 0; t < 100'000; ++t) bank.step(windows[0]);
  EXPECT_EQ(bank.switch_posterior()[0], 1);
  EXPECT_EQ(bank.switch_posterior()[1], 0) << "below any number there is";
  for (int t = 0; t < 80'000; ++t) bank.step(windows[static_cast<std::size_t>(t % 2)]);
  EXPECT_EQ(bank.switch_posterior()[1], 1);
  EXPECT_EQ(bank.switch_posterior()[0], 0);
}

TYPED_TEST(BankFilterTest, AMissingWindowSaysNothingOfP) {
  using Real = TypeParam;
  auto bank = TestFixture::made(2, {Real(0.001), Real(0.1)});
  for (const std::vector<Real>& window : {std::vector<Real>{1, 0}, {0, 2}, {3, 0}}) bank.step(window);
  const std::vector<Real> before(bank.switch_posterior().begin(), bank.switch_posterior().end());
  const Real belief = bank.belief()[0];
  EXPECT_EQ(bank.step(std::vector<Real>{nan<Real>, 0}), Step::held);
  EXPECT_EQ(std::vector<Real>(bank.switch_posterior().begin(), bank.switch_posterior().end()), before);
  EXPECT_LT(bank.belief()[0], belief) << "but attention may have moved";
}

TYPED_TEST(BankFilterTest, TheNextTrialKnowsWhatWasLearntAndAnotherListenerNothing) {
  using Real = TypeParam;
  auto bank = TestFixture::made(2, {Real(0.001), Real(0.1)});
  const std::vector<Real> window{2, 0};
  for (int t = 0; t < 50; ++t) bank.step(window);
  const Real known = bank.switch_posterior()[0];
  EXPECT_GT(known, Real(0.9));
  bank.reset();
  EXPECT_EQ(bank.belief()[0], Real(0.5));
  EXPECT_EQ(bank.switch_posterior()[0], known);
  bank.step(window);
  EXPECT_EQ(bank.switch_posterior()[0], known) << "the first window of a trial says nothing of p";
  bank.forget();
  EXPECT_EQ(bank.switch_posterior()[0], Real(0.5));
}

TYPED_TEST(BankFilterTest, ATieAtTheStartOfATrialIsTheFirstSpeaker) {
  using Real = TypeParam;
  auto bank = TestFixture::made(2, {Real(0.001), Real(0.1)});
  bank.step(std::vector<Real>{0, 3});
  ASSERT_EQ(bank.decision(), 1U);
  bank.reset();
  bank.step(std::vector<Real>{0, 0});
  EXPECT_EQ(bank.decision(), 0U) << "not who was decided for in the trial before";
}

TYPED_TEST(BankFilterTest, ForgottenItIsAsNew) {
  using Real = TypeParam;
  auto bank = TestFixture::made(2, {Real(0.001), Real(0.1)});
  auto fresh = bank;
  const std::vector<Real> right{0, 3};
  for (int t = 0; t < 50'000; ++t) bank.step(right);
  ASSERT_EQ(bank.decision(), 1U);
  ASSERT_EQ(bank.switch_posterior()[1], 0) << "below any number there is";
  bank.forget();
  for (const auto* filter : {&bank, &fresh}) {
    EXPECT_EQ(filter->belief()[0], Real(0.5)) << "before the first window";
    EXPECT_EQ(filter->decision(), 0U);
  }
  for (const auto& window : heed::test::random_windows<Real>(10, 2, 1.0)) {
    bank.step(window);
    fresh.step(window);
    EXPECT_EQ(bank.belief()[0], fresh.belief()[0]);
    EXPECT_EQ(bank.switch_posterior()[0], fresh.switch_posterior()[0]);
    EXPECT_EQ(bank.decision(), fresh.decision());
  }
}

TYPED_TEST(BankFilterTest, AWrongNumberOfLogLikelihoodsIsNoWindow) {
  using Real = TypeParam;
  auto bank = TestFixture::made(3, {Real(0.001), Real(0.1)});
  auto without = bank;
  const std::vector<Real> window{1, 0, -2};
  EXPECT_EQ(bank.step(std::vector<Real>{0, 5}), Step::wrong_size) << "before the first window";
  bank.step(window);
  without.step(window);
  EXPECT_EQ(bank.step(std::vector<Real>{0, 5, 1, 1}), Step::wrong_size);
  bank.step(window);
  without.step(window);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(bank.belief()[j], without.belief()[j]);
}

// docs/mathematics.md: three speakers, five windows, three values.
TEST(BankFilterGolden, OfThreeSpeakers) {
  const std::array<double, 3> p{0.001, 0.02, 0.2};
  const std::array<std::array<double, 3>, 5> windows{
      {{0.4, -0.1, 0}, {0.7, 0.2, -0.3}, {-0.2, 0.9, 0.1}, {-0.5, 1.1, 0.3}, {0.1, 0.6, -0.4}}};
  auto bank = *BankFilter<double, 3, 3>::make(3, p);
  std::array<double, 3> third{};
  for (std::size_t t = 0; t < windows.size(); ++t) {
    bank.step(windows[t]);
    if (t == 2) std::copy_n(bank.belief().begin(), 3, third.begin());
  }
  const std::array<double, 3> expected_third{0.3450583880, 0.4890339988, 0.1659076132};
  const std::array<double, 3> expected_last{0.1292838750, 0.7918845554, 0.0788315695};
  const std::array<double, 3> expected_weights{0.3432397171, 0.3456009527, 0.3111593302};
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(third[j], expected_third[j], 1e-9);
    EXPECT_NEAR(bank.belief()[j], expected_last[j], 1e-9);
    EXPECT_NEAR(bank.switch_posterior()[j], expected_weights[j], 1e-9);
  }
}

}  // namespace
