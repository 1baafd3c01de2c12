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
#include <utility>
#include <vector>

namespace {

using heed::core::GainMap;
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
  for (const Real same : {Real(-12), Real(-13)}) {
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.enhanced_decibel = same})) << "no range";
  }
}

TYPED_TEST(GainRuleTest, RefusesMapsThatMeanNothing) {
  using Real = TypeParam;
  for (const Real bad : {Real(0), Real(-1), nan<Real>, infinity<Real>}) {
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::decibels_per_nat, .decibels_per_nat = bad}));
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::intelligibility, .margin_decibel = bad}));
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::intelligibility, .slope_per_decibel = bad}));
  }
  for (const Real bad : {Real(-0.1), Real(1), nan<Real>}) {
    EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::dead_zone, .certainty = bad}));
  }
  EXPECT_FALSE(TestFixture::Rule::make(3, Real(1), {.map = GainMap::intelligibility})) << "for two speakers";
  EXPECT_TRUE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::intelligibility}));
}

// Where what is refused ends: one step further it means something.
TYPED_TEST(GainRuleTest, AcceptsWhatLiesAtTheEdge) {
  using Real = TypeParam;
  EXPECT_EQ(TestFixture::decibels(*TestFixture::Rule::make(1, Real(1))), std::vector<Real>{0});
  EXPECT_TRUE(TestFixture::Rule::make(2, Real(1), {.lowest_decibel = -5, .highest_decibel = -5}));
  EXPECT_TRUE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::dead_zone, .certainty = 0}));
  EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = static_cast<GainMap>(99)}));
  constexpr Real tiny = std::numeric_limits<Real>::denorm_min();
  EXPECT_FALSE(TestFixture::Rule::make(
      2, Real(1), {.map = GainMap::intelligibility, .margin_decibel = tiny, .slope_per_decibel = tiny}))
      << "nothing can be gained";
}

TYPED_TEST(GainRuleTest, AmplifiesNobodyUnlessTold) {
  using Real = TypeParam;
  auto rule = *TestFixture::Rule::make(2, Real(100), {.enhanced_decibel = 6});
  rule.step(std::vector<Real>{1, 0});
  EXPECT_EQ(TestFixture::decibels(rule), (std::vector<Real>{0, -12}));
}

// Golden numbers of the mathematics: a + 9 dB range whose middle is 0, no limit on how fast a gain may move.
template <typename Real>
GainOptions<Real> golden(GainMap map, std::size_t speakers) {
  const Real low = -Real(9) / static_cast<Real>(speakers);
  return {.map = map,
          .enhanced_decibel = low + 9,
          .suppressed_decibel = low,
          .slew_decibel_per_second = 1000,
          .highest_decibel = 20};
}
template <typename Real>
constexpr double golden_rounding = sizeof(Real) == 8 ? 1e-9 : 1e-5;

TYPED_TEST(GainRuleTest, GivesTwoDecibelsPerNat) {
  using Real = TypeParam;
  auto rule = *TestFixture::Rule::make(3, Real(1), golden<Real>(GainMap::decibels_per_nat, 3));
  EXPECT_EQ(TestFixture::decibels(rule), std::vector<Real>(3, 0)) << "undecided";
  rule.step(std::vector<Real>{Real(0.7), Real(0.2), Real(0.1)});
  EXPECT_NEAR(rule.decibels()[0], 2.1324487450, golden_rounding<Real>);
  EXPECT_NEAR(rule.decibels()[1], -0.3730771920, golden_rounding<Real>);
  EXPECT_NEAR(rule.decibels()[2], -1.7593715531, golden_rounding<Real>);
  rule.step(std::vector<Real>{1, 0, 0});
  EXPECT_NEAR(rule.decibels()[0], 6, golden_rounding<Real>) << "the range and no more";
  EXPECT_NEAR(rule.decibels()[1], -3, golden_rounding<Real>);
}

TYPED_TEST(GainRuleTest, GivesWhatIsBestUnderstood) {
  using Real = TypeParam;
  const std::vector<Real> log_odds{Real(0.5), 1, 2, 4};
  const std::vector<std::pair<Real, std::vector<double>>> margins{
      {Real(3), {0.8515537062, 1.7503895428, 4.0452734726, 9}},
      {Real(6), {0.5835539193, 1.1718268255, 2.3847994367, 5.2669716482}}};
  for (const auto& [margin, expected] : margins) {
    auto options = golden<Real>(GainMap::intelligibility, 2);
    options.margin_decibel = margin;
    for (std::size_t k = 0; k < log_odds.size(); ++k) {
      auto rule = *TestFixture::Rule::make(2, Real(1), options);
      const Real p = 1 / (1 + std::exp(-log_odds[k]));
      const Real rest = 1 / (1 + std::exp(log_odds[k]));
      rule.step(std::vector<Real>{rest, p});
      EXPECT_NEAR(rule.decibels()[1] - rule.decibels()[0], expected[k], 3 * golden_rounding<Real>);
      EXPECT_NEAR(rule.decibels()[1] + rule.decibels()[0], 0, golden_rounding<Real>);
    }
  }
}

TYPED_TEST(GainRuleTest, WaitsInTheDeadZone) {
  using Real = TypeParam;
  auto rule = *TestFixture::Rule::make(3, Real(1), golden<Real>(GainMap::dead_zone, 3));
  rule.step(std::vector<Real>{Real(0.79), Real(0.2), Real(0.01)});
  EXPECT_EQ(TestFixture::decibels(rule), std::vector<Real>(3, 0));
  rule.step(std::vector<Real>{Real(0.1), Real(0.81), Real(0.09)});
  EXPECT_EQ(TestFixture::decibels(rule), (std::vector<Real>{-3, 6, -3}));
  rule.step(std::vector<Real>{Real(0.8), Real(0.1), Real(0.1)});
  EXPECT_EQ(TestFixture::decibels(rule), std::vector<Real>(3, 0)) << "0.8 is not above 0.8";
  rule.step(std::vector<Real>{Real(0.1), Real(0.81), Real(0.09)});
  rule.step(std::vector<Real>{Real(0.9), Real(0.9), 0});  // no distribution, but nothing to choose by either
  EXPECT_EQ(TestFixture::decibels(rule), std::vector<Real>(3, 0));
}

TYPED_TEST(GainRuleTest, MovesNoFasterThanTheSlewLimit) {
  using Real = TypeParam;
  auto rule =
      TestFixture::Rule::make(2, Real(0.25), {.map = GainMap::decibels, .slew_decibel_per_second = 4});  // 1 dB a step
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
    auto rule = TestFixture::Rule::make(2, Real(1), {.map = GainMap::decibels, .slew_decibel_per_second = 1000});
    const std::vector<Real> posterior{p, 1 - p};
    rule->step(posterior);
    EXPECT_EQ(TestFixture::decibels(*rule), (std::vector<Real>{-12 + (12 * p), -12 * p}));
  }
}

TYPED_TEST(GainRuleTest, IsAStraightLineInAmplitudeWhereThatIsChosen) {
  using Real = TypeParam;
  const typename TestFixture::Options options{
      .map = GainMap::amplitude, .suppressed_decibel = -20, .slew_decibel_per_second = 100};
  auto rule = *TestFixture::Rule::make(2, Real(1), options);
  EXPECT_NEAR(rule.linear(0), 0.55, 1e-5);  // half-way between 0.1 and 1
  rule.step(std::vector<Real>{Real(0.9), Real(0.1)});
  EXPECT_NEAR(rule.linear(0), 0.91, 1e-5);
  EXPECT_NEAR(rule.linear(1), 0.19, 1e-5);
  EXPECT_FALSE(TestFixture::Rule::make(2, Real(1), {.map = GainMap::amplitude, .enhanced_decibel = 1e6}));
}

TYPED_TEST(GainRuleTest, FollowsTheDecisionWhereThatIsChosen) {
  using Real = TypeParam;
  const typename TestFixture::Options options{.map = GainMap::decision, .slew_decibel_per_second = 100};
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
  const auto [suppressed, enhanced] = std::minmax({finite<Real>() / 2, finite<Real>() / 2});
  const std::size_t speakers = *rc::gen::inRange<std::size_t>(2, 4);
  const GainOptions<Real> options{.map = static_cast<GainMap>(*rc::gen::inRange(0, 6)),
                                  .enhanced_decibel = enhanced,
                                  .suppressed_decibel = suppressed,
                                  .slew_decibel_per_second = std::abs(finite<Real>()),
                                  .lowest_decibel = lowest,
                                  .highest_decibel = highest,
                                  .decibels_per_nat = std::abs(finite<Real>()),
                                  .certainty = Real(*rc::gen::inRange(0, 100)) / 100,
                                  .margin_decibel = std::abs(finite<Real>()),
                                  .slope_per_decibel = std::abs(finite<Real>())};
  const Real seconds = std::abs(finite<Real>());
  auto rule = GainRule<Real, 4>::make(speakers, seconds, options);
  RC_PRE(rule.has_value());
  for (int t = 0; t < 20; ++t) {
    const std::vector<Real> before(rule->decibels().begin(), rule->decibels().end());
    std::vector<Real> posterior{*wild<Real>(), *wild<Real>(), *wild<Real>()};
    posterior.resize(speakers);
    rule->step(posterior);
    for (std::size_t j = 0; j < speakers; ++j) {
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
