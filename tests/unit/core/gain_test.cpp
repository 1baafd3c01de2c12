// SPDX-License-Identifier: MIT
#include <heed/core/gain.h>

#include "unit/core/real_types.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using heed::core::GainOptions;
using heed::core::GainRule;
using heed::core::Step;
using heed::test::infinity;
using heed::test::nan;

template <typename Real>
class GainRuleTest : public testing::Test {
 public:
  using Rule = GainRule<Real, 4>;
  using Options = GainOptions<Real>;
  static std::vector<Real> decibels(const Rule& rule) { return {rule.decibels().begin(), rule.decibels().end()}; }
};
TYPED_TEST_SUITE(GainRuleTest, heed::test::Reals);

TYPED_TEST(GainRuleTest, StartsUndecided) {
  const auto two = TestFixture::Rule::make(2, TypeParam(1));
  EXPECT_EQ(TestFixture::decibels(*two), (std::vector<TypeParam>{-6, -6}));
  const auto four = TestFixture::Rule::make(4, TypeParam(1));
  EXPECT_EQ(TestFixture::decibels(*four), std::vector<TypeParam>(4, -9));
}

TYPED_TEST(GainRuleTest, RefusesOptionsThatMeanNothing) {
  using Real = TypeParam;
  EXPECT_FALSE(TestFixture::Rule::make(0, Real(1)));
  EXPECT_FALSE(TestFixture::Rule::make(5, Real(1)));
  for (const Real step : {Real(0), Real(-1), nan<Real>, infinity<Real>}) {
    EXPECT_FALSE(TestFixture::Rule::make(2, step)) << "step " << step;
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), typename TestFixture::Options{.slew_decibel_per_second = step}))
        << "slew " << step;
  }
  for (const Real bad : {nan<Real>, infinity<Real>, -infinity<Real>}) {
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), typename TestFixture::Options{.enhanced_decibel = bad}));
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), typename TestFixture::Options{.suppressed_decibel = bad}));
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), typename TestFixture::Options{.lowest_decibel = bad}));
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), typename TestFixture::Options{.highest_decibel = bad}));
  }
  EXPECT_FALSE(
      TestFixture::Rule::make(2, Real(1), typename TestFixture::Options{.lowest_decibel = 1, .highest_decibel = 0}));
  constexpr Real huge = std::numeric_limits<Real>::max();
  EXPECT_FALSE(TestFixture::Rule::make(
      2, Real(1), typename TestFixture::Options{.enhanced_decibel = huge, .suppressed_decibel = -huge}))
      << "the way between them is not a number";
}

TYPED_TEST(GainRuleTest, MovesNoFasterThanTheSlewLimit) {
  using Real = TypeParam;
  auto rule = TestFixture::Rule::make(2, Real(0.25), {.slew_decibel_per_second = 4});  // 1 dB a step
  const std::vector<Real> certain{1, 0};
  for (int k = 1; k <= 6; ++k) {
    rule->step(certain);
    EXPECT_EQ(TestFixture::decibels(*rule), (std::vector<Real>{Real(-6 + k), Real(-6 - k)}));
  }
  rule->step(certain);
  EXPECT_EQ(TestFixture::decibels(*rule), (std::vector<Real>{0, -12})) << "arrived, and stays";
}

TYPED_TEST(GainRuleTest, IsAStraightLineInDecibel) {
  using Real = TypeParam;
  for (const Real p : {Real(0), Real(0.25), Real(0.5), Real(0.75), Real(1)}) {
    auto rule = TestFixture::Rule::make(2, Real(1), {.slew_decibel_per_second = 1000});
    const std::vector<Real> posterior{p, 1 - p};
    rule->step(posterior);
    EXPECT_EQ(TestFixture::decibels(*rule), (std::vector<Real>{-12 + (12 * p), -12 * p}));
  }
}

TYPED_TEST(GainRuleTest, IsAStraightLineInAmplitudeWhereThatIsChosen) {
  using Real = TypeParam;
  const typename TestFixture::Options options{
      .map = heed::core::GainMap::amplitude, .suppressed_decibel = -20, .slew_decibel_per_second = 100};
  auto rule = *TestFixture::Rule::make(2, Real(1), options);
  EXPECT_NEAR(rule.linear(0), 0.55, 1e-5);  // half-way between 0.1 and 1
  rule.step(std::vector<Real>{Real(0.9), Real(0.1)});
  EXPECT_NEAR(rule.linear(0), 0.91, 1e-5);
  EXPECT_NEAR(rule.linear(1), 0.19, 1e-5);
  EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = heed::core::GainMap::amplitude, .enhanced_decibel = 1e6}));
}

TYPED_TEST(GainRuleTest, FollowsTheDecisionWhereThatIsChosen) {
  using Real = TypeParam;
  const typename TestFixture::Options options{.map = heed::core::GainMap::decision, .slew_decibel_per_second = 100};
  auto rule = *TestFixture::Rule::make(3, Real(1), options);
  rule.step(std::vector<Real>{Real(0.3), Real(0.4), Real(0.3)});
  EXPECT_EQ(TestFixture::decibels(rule), (std::vector<Real>{-12, 0, -12}));
  rule.step(std::vector<Real>{Real(0.4), Real(0.4), Real(0.2)});
  for (const Real gain : rule.decibels()) EXPECT_NEAR(gain, -8, 1e-5);
}

TYPED_TEST(GainRuleTest, MovesByTheTimeThatPassed) {
  using Real = TypeParam;
  auto rule = *TestFixture::Rule::make(2, Real(1));
  rule.step(std::vector<Real>{1, 0}, Real(0.25));
  EXPECT_EQ(TestFixture::decibels(rule), (std::vector<Real>{Real(-4.5), Real(-7.5)}));
  for (const Real none : {Real(0), Real(-1), nan<Real>}) rule.step(std::vector<Real>{1, 0}, none);
  EXPECT_EQ(TestFixture::decibels(rule), (std::vector<Real>{Real(-4.5), Real(-7.5)}));
}

TYPED_TEST(GainRuleTest, TakesOverFromAnotherWithoutAStep) {
  using Real = TypeParam;
  auto wide = *TestFixture::Rule::make(2, Real(1));
  for (int i = 0; i < 3; ++i) wide.step(std::vector<Real>{1, 0});
  auto narrow = *TestFixture::Rule::make(2, Real(1),
                                         {.enhanced_decibel = -3,
                                          .suppressed_decibel = -6,
                                          .slew_decibel_per_second = 1,
                                          .lowest_decibel = -8,
                                          .highest_decibel = -2});
  narrow.start_from(wide);
  EXPECT_EQ(TestFixture::decibels(narrow), (std::vector<Real>{0, -12}));
  narrow.step(std::vector<Real>{1, 0});
  EXPECT_EQ(TestFixture::decibels(narrow), (std::vector<Real>{-1, -11}));
  for (int i = 0; i < 9; ++i) narrow.step(std::vector<Real>{1, 0});
  EXPECT_EQ(TestFixture::decibels(narrow), (std::vector<Real>{-3, -6}));
  const auto three = *TestFixture::Rule::make(3, Real(1));
  narrow.start_from(three);
  EXPECT_EQ(TestFixture::decibels(narrow), (std::vector<Real>{-3, -6}));
}

TYPED_TEST(GainRuleTest, SafetyRangeWinsOverTheTarget) {
  using Real = TypeParam;
  auto rule = TestFixture::Rule::make(2, Real(1),
                                      {.enhanced_decibel = 30,
                                       .suppressed_decibel = -60,
                                       .slew_decibel_per_second = 1000,
                                       .lowest_decibel = -20,
                                       .highest_decibel = 5});
  const std::vector<Real> certain{1, 0};
  rule->step(certain);
  EXPECT_EQ(TestFixture::decibels(*rule), (std::vector<Real>{5, -20}));
}

TYPED_TEST(GainRuleTest, BrokenPosteriorHoldsEveryGain) {
  using Real = TypeParam;
  auto rule = TestFixture::Rule::make(2, Real(1));
  const std::vector<Real> first{1, 0};
  rule->step(first);
  const auto before = TestFixture::decibels(*rule);
  const std::vector<std::vector<Real>> broken{{nan<Real>, 0}, {0, nan<Real>},     {0}, {0, 1, 0}, {}, {Real(-0.5), 1},
                                              {0, Real(1.5)}, {0, infinity<Real>}};
  for (const auto& posterior : broken) {
    EXPECT_EQ(rule->step(posterior), posterior.size() == 2 ? Step::held : Step::wrong_size);
    EXPECT_EQ(TestFixture::decibels(*rule), before);
  }
  EXPECT_EQ(rule->step(first), Step::updated);
}

TYPED_TEST(GainRuleTest, LinearIsTheAmplitudeFactor) {
  using Real = TypeParam;
  auto rule = TestFixture::Rule::make(2, Real(1), {.suppressed_decibel = -20, .slew_decibel_per_second = 100});
  const std::vector<Real> certain{1, 0};
  rule->step(certain);
  EXPECT_EQ(rule->linear(0), 1);
  EXPECT_NEAR(rule->linear(1), 0.1, 4 * std::numeric_limits<Real>::epsilon());
}

// Any bit pattern a broken memory could hold: NaN, infinities and subnormal numbers among them.
template <typename Real>
rc::Gen<Real> any_bits() {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  return rc::gen::map(rc::gen::arbitrary<Bits>(), [](Bits bits) { return std::bit_cast<Real>(bits); });
}

template <typename Real>
rc::Gen<Real> wild() {
  return rc::gen::oneOf(any_bits<Real>(), rc::gen::map(rc::gen::inRange(0, 1001), [](int k) { return Real(k) / 1000; }),
                        rc::gen::element(nan<Real>, infinity<Real>, -infinity<Real>, Real(-0.0)));
}

// Finite, of any size.
template <typename Real>
Real finite() {
  const Real value = *any_bits<Real>();
  return std::isfinite(value) ? value : Real(*rc::gen::inRange(-40, 40));
}

// Whatever options make() accepts and whatever comes in: the range is never left, the slew never exceeded.
template <typename Real>
void keeps_to_its_limits() {
  const auto [lowest, highest] = std::minmax({finite<Real>(), finite<Real>()});
  const GainOptions<Real> options{.enhanced_decibel = finite<Real>() / 2,
                                  .suppressed_decibel = finite<Real>() / 2,
                                  .slew_decibel_per_second = std::abs(finite<Real>()),
                                  .lowest_decibel = lowest,
                                  .highest_decibel = highest};
  const Real seconds = std::abs(finite<Real>());
  auto rule = GainRule<Real, 4>::make(3, seconds, options);
  RC_PRE(rule.has_value());
  for (int t = 0; t < 20; ++t) {
    const std::vector<Real> before(rule->decibels().begin(), rule->decibels().end());
    const std::vector<Real> posterior{*wild<Real>(), *wild<Real>(), *wild<Real>()};
    rule->step(posterior);
    for (std::size_t j = 0; j < 3; ++j) {
      const Real after = rule->decibels()[j];
      RC_ASSERT(after >= options.lowest_decibel && after <= options.highest_decibel);
      const long double limit = static_cast<long double>(options.slew_decibel_per_second) * seconds;
      const long double rounding =
          (4 * std::numeric_limits<Real>::epsilon() * (std::abs(after) + std::abs(before[j]))) +
          std::numeric_limits<Real>::denorm_min();
      RC_ASSERT(std::abs(static_cast<long double>(after) - before[j]) <= (limit * (1 + 1e-6L)) + rounding);
    }
  }
}

RC_GTEST_PROP(GainRuleLaw, KeepsToItsLimitsInFloat, ()) { keeps_to_its_limits<float>(); }
RC_GTEST_PROP(GainRuleLaw, KeepsToItsLimitsInDouble, ()) { keeps_to_its_limits<double>(); }

}  // namespace
