// SPDX-License-Identifier: MIT
#include <heed/core/decision.h>

#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <array>

namespace {

using heed::core::DecisionRule;

template <typename Real>
class DecisionRuleTest : public testing::Test {
 public:
  DecisionRule<Real> rule;
  std::size_t decide(const std::vector<double>& belief) {
    const std::vector<Real> narrowed(belief.begin(), belief.end());
    return rule.decide(narrowed);
  }
};
TYPED_TEST_SUITE(DecisionRuleTest, heed::test::Reals);

TYPED_TEST(DecisionRuleTest, TakesTheMostProbable) {
  EXPECT_EQ(this->decide({0.2, 0.5, 0.3}), 1U);
  EXPECT_EQ(this->decide({0.2, 0.3, 0.5}), 2U);
  EXPECT_EQ(this->decide({0.5, 0.3, 0.2}), 0U);
  EXPECT_EQ(this->decide({1}), 0U);
}

TYPED_TEST(DecisionRuleTest, FirstTieTakesTheLowestIndexAmongTheTied) { EXPECT_EQ(this->decide({0.2, 0.4, 0.4}), 1U); }

TYPED_TEST(DecisionRuleTest, LaterTieHoldsThePreviousDecision) {
  EXPECT_EQ(this->decide({0.1, 0.9}), 1U);
  EXPECT_EQ(this->decide({0.5, 0.5}), 1U);
  EXPECT_EQ(this->decide({0.5, 0.5}), 1U);
  EXPECT_EQ(this->decide({0.6, 0.4}), 0U);
  EXPECT_EQ(this->decide({0.5, 0.5}), 0U);
}

TYPED_TEST(DecisionRuleTest, TieBetweenTwoOthersHoldsToo) {
  EXPECT_EQ(this->decide({0.8, 0.1, 0.1}), 0U);
  EXPECT_EQ(this->decide({0.2, 0.4, 0.4}), 0U);
}

TYPED_TEST(DecisionRuleTest, TieBelowTheTopIsNoTie) {
  EXPECT_EQ(this->decide({0.8, 0.1, 0.1}), 0U);
  EXPECT_EQ(this->decide({0.3, 0.3, 0.4}), 2U);
  EXPECT_EQ(this->decide({0.4, 0.3, 0.3}), 0U);
}

TYPED_TEST(DecisionRuleTest, ResetForgetsThePrevious) {
  EXPECT_EQ(this->decide({0.1, 0.9}), 1U);
  this->rule.reset();
  EXPECT_EQ(this->decide({0.5, 0.5}), 0U);
}

TYPED_TEST(DecisionRuleTest, WorksBeforeTheProgramRuns) {
  static_assert([] {
    DecisionRule<TypeParam> chosen;
    const std::array<TypeParam, 2> right{0, 1};
    const std::array<TypeParam, 2> tie{1, 1};
    return chosen.decide(right) == 1 && chosen.decide(tie) == 1;
  }());
}

}  // namespace
