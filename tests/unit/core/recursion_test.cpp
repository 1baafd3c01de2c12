// SPDX-License-Identifier: MIT
#include <heed/core/recursion.h>

#include "unit/core/long_double_oracle.h"
#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace {

using heed::core::absorb;
using heed::core::advance;
using heed::core::retreat;
using heed::core::Step;
using heed::core::StickyChain;
using heed::test::infinity;
using heed::test::largest_difference;
using heed::test::nan;
using heed::test::tolerance;

template <typename Real>
class RecursionTest : public testing::Test {
 public:
  // absorb() on copies, with everything it gave.
  struct Result {
    std::vector<Real> belief;
    std::vector<Real> weights;
    heed::core::Absorbed<Real> absorbed;
  };
  static Result absorb_into(std::vector<Real> belief, const std::vector<Real>& log_likelihood) {
    std::vector<Real> weights(belief.size(), Real(-7));
    const auto absorbed =
        absorb(std::span<Real>(belief), std::span<const Real>(log_likelihood), std::span<Real>(weights));
    return {std::move(belief), std::move(weights), absorbed};
  }
};
TYPED_TEST_SUITE(RecursionTest, heed::test::Reals);

TYPED_TEST(RecursionTest, AbsorbIsBayesRule) {
  using Real = TypeParam;
  const auto result = TestFixture::absorb_into({Real(0.5), Real(0.25), Real(0.25)}, {-1, 0, Real(0.5)});
  const heed::test::Vector joint{0.5L * std::exp(-1.0L), 0.25L, 0.25L * std::exp(0.5L)};
  EXPECT_EQ(result.absorbed.step, Step::updated);
  EXPECT_LE(largest_difference(result.belief, heed::test::scaled_to_one(joint)), tolerance<Real>);
  const long double evidence = result.absorbed.shift + std::log(static_cast<long double>(result.absorbed.normaliser));
  EXPECT_LE(std::abs(evidence - std::log(joint[0] + joint[1] + joint[2])), tolerance<Real>);
}

TYPED_TEST(RecursionTest, WeightsAreLikelihoodsOverTheLargest) {
  using Real = TypeParam;
  const auto result = TestFixture::absorb_into({Real(0.5), Real(0.5)}, {3, 1});
  EXPECT_EQ(result.weights[0], 1);
  EXPECT_LE(std::abs(result.weights[1] - std::exp(-2.0L)), tolerance<Real>);
}

// A constant added to a window's log-likelihoods is no evidence: not a bit of the belief changes.
TYPED_TEST(RecursionTest, AddedConstantMovesOnlyTheShift) {
  using Real = TypeParam;
  const std::vector<Real> prior{Real(0.2), Real(0.8)};
  const auto plain = TestFixture::absorb_into(prior, {1, 2});
  const auto shifted = TestFixture::absorb_into(prior, {-8191, -8190});
  EXPECT_EQ(plain.belief, shifted.belief);
  EXPECT_EQ(plain.absorbed.normaliser, shifted.absorbed.normaliser);
  EXPECT_EQ(shifted.absorbed.shift, -8190);
}

TYPED_TEST(RecursionTest, FarApartLogLikelihoodsNeitherOverflowNorVanish) {
  using Real = TypeParam;
  constexpr Real huge = std::numeric_limits<Real>::max();
  const auto result = TestFixture::absorb_into({Real(0.5), Real(0.5)}, {huge, -huge});
  EXPECT_EQ(result.absorbed.step, Step::updated);
  EXPECT_EQ(result.belief, (std::vector<Real>{1, 0}));
}

TYPED_TEST(RecursionTest, MinusInfinityForSomeStatesIsEvidence) {
  using Real = TypeParam;
  const auto result = TestFixture::absorb_into({Real(0.5), Real(0.25), Real(0.25)}, {-infinity<Real>, -3, -3});
  EXPECT_EQ(result.absorbed.step, Step::updated);
  EXPECT_EQ(result.belief, (std::vector<Real>{0, Real(0.5), Real(0.5)}));
  EXPECT_EQ(result.weights, (std::vector<Real>{0, 1, 1}));
}

// The largest log-likelihood belongs to a state nobody can be in: it must not push the others under.
TYPED_TEST(RecursionTest, UnreachableStatesDoNotSetTheScale) {
  using Real = TypeParam;
  const auto result = TestFixture::absorb_into({0, Real(0.5), Real(0.5)}, {Real(1e30), 5, 5});
  EXPECT_EQ(result.absorbed.step, Step::updated);
  EXPECT_EQ(result.absorbed.shift, 5);
  EXPECT_EQ(result.belief, (std::vector<Real>{0, Real(0.5), Real(0.5)}));
  EXPECT_EQ(result.weights, (std::vector<Real>{0, 1, 1}));
}

TYPED_TEST(RecursionTest, BrokenWindowsAreHeld) {
  using Real = TypeParam;
  constexpr Real no = -infinity<Real>;
  const std::vector<std::vector<Real>> broken{
      {nan<Real>, 0, 0},        {0, 0, nan<Real>}, {0, infinity<Real>, 0},
      {infinity<Real>, no, no}, {no, no, no},      {0, no, no},  // the last: impossible for every reachable state
      {nan<Real>, no, no}};
  const std::vector<Real> prior{0, Real(0.75), Real(0.25)};
  for (const auto& window : broken) {
    const auto result = TestFixture::absorb_into(prior, window);
    EXPECT_EQ(result.absorbed.step, Step::held);
    EXPECT_EQ(result.belief, prior);
    EXPECT_EQ(result.weights, (std::vector<Real>{1, 1, 1}));
    EXPECT_EQ(result.absorbed.shift, 0);
    EXPECT_EQ(result.absorbed.normaliser, 1);
  }
}

// A mistake of the caller's is not a missing window: nothing happens, and he is told.
TYPED_TEST(RecursionTest, WrongNumbersOfLogLikelihoodsChangeNothing) {
  using Real = TypeParam;
  const auto chain = *StickyChain<Real>::make(3, Real(0.125));
  const std::vector<Real> prior{0, Real(0.75), Real(0.25)};
  for (const std::size_t size : {0U, 2U, 4U}) {
    const std::vector<Real> window(size, Real{1});
    std::vector<Real> belief = prior;
    std::vector<Real> weights(3, Real{7});
    EXPECT_EQ(absorb(std::span(belief), std::span<const Real>(window), std::span(weights)).step, Step::wrong_size);
    EXPECT_EQ(advance(chain, belief, window, weights).step, Step::wrong_size);
    EXPECT_EQ(belief, prior);
    EXPECT_EQ(weights, std::vector<Real>(3, Real{7}));
  }
}

// In one go, so to rounding and not to the bit.
TYPED_TEST(RecursionTest, AdvanceIsPredictThenAbsorb) {
  using Real = TypeParam;
  const auto chain = *StickyChain<Real>::make(3, Real(0.125));
  const std::vector<Real> window{Real(0.5), -1, 2};
  std::vector<Real> belief{Real(0.5), Real(0.125), Real(0.375)};
  std::vector<Real> predicted = belief;
  std::vector<Real> weights(3);
  advance(chain, belief, window, weights);
  chain.predict(predicted);
  const auto expected = TestFixture::absorb_into(predicted, window);
  EXPECT_LE(largest_difference(belief, {expected.belief.begin(), expected.belief.end()}),
            2 * std::numeric_limits<Real>::epsilon());
  EXPECT_EQ(weights, expected.weights);
}

TYPED_TEST(RecursionTest, HeldWindowStillPredicts) {
  using Real = TypeParam;
  const auto chain = *StickyChain<Real>::make(2, Real(0.25));
  std::vector<Real> belief{1, 0};
  std::vector<Real> weights(2);
  const std::vector<Real> window{nan<Real>, 0};
  EXPECT_EQ(advance(chain, belief, window, weights).step, Step::held);
  EXPECT_EQ(belief, (std::vector<Real>{Real(0.75), Real(0.25)}));
}

// Forward, then back, against the sum over all paths; a missing and an impossible window among them.
TYPED_TEST(RecursionTest, ForwardAndBackwardEqualTheSumOverAllPaths) {
  using Real = TypeParam;
  for (const std::size_t states : {2, 3, 4}) {
    const auto p = static_cast<Real>(0.07);
    auto windows = heed::test::random_windows<Real>(7, states, 2.0);
    windows[2][0] = nan<Real>;
    windows[4][1] = -infinity<Real>;
    const heed::test::Problem problem{heed::test::dense_sticky(states, p),
                                      heed::test::Vector(states, 1.0L / static_cast<long double>(states)),
                                      heed::test::widened(windows)};
    const auto chain = *StickyChain<Real>::make(states, p);
    std::vector<std::vector<Real>> beliefs;
    std::vector<std::vector<Real>> weights;
    std::vector<Real> belief(states, Real{1} / static_cast<Real>(states));
    for (const auto& window : windows) {
      std::vector<Real> b(states);
      if (beliefs.empty()) {
        absorb(belief, window, b);
      } else {
        advance(chain, belief, window, b);
      }
      beliefs.push_back(belief);
      weights.push_back(b);
    }
    std::vector<Real> future(states, 1);
    for (std::size_t t = windows.size(); t-- > 0;) {
      std::vector<Real> posterior = beliefs[t];
      for (std::size_t j = 0; j < states; ++j) posterior[j] *= future[j];
      heed::core::normalise(std::span<Real>(posterior));
      EXPECT_LE(largest_difference(posterior, heed::test::enumerated_posterior(problem, t)), tolerance<Real>);
      retreat(chain, future, weights[t]);
    }
  }
}

// Contradicting certainties under a p so small that p^2 is zero: the belief in the future must live on.
TYPED_TEST(RecursionTest, RetreatSurvivesTheSmallestSwitchProbability) {
  using Real = TypeParam;
  const auto chain = *StickyChain<Real>::make(2, std::numeric_limits<Real>::min());
  std::vector<Real> future{1, 1};
  const std::array<std::vector<Real>, 2> certain{std::vector<Real>{1, 0}, std::vector<Real>{0, 1}};
  for (std::size_t t = 0; t < 10; ++t) {
    retreat(chain, future, certain[t % 2]);
    EXPECT_EQ(future[t % 2], 1);
    EXPECT_GT(future[1 - (t % 2)], 0);
  }
}

// To a thousandth, the ends left out; what is taken sums to one.
TYPED_TEST(RecursionTest, TakesWhatIsADistribution) {
  using Real = TypeParam;
  std::vector<Real> taken{7, 7};
  for (const Real total : {Real(0.999), Real(1.001)}) {
    EXPECT_FALSE(heed::core::take_distribution<Real>(std::array{total, Real{0}}, taken));
    EXPECT_EQ(taken, (std::vector<Real>{7, 7}));
  }
  EXPECT_TRUE(heed::core::take_distribution<Real>(std::array{Real{1}, Real{0}}, taken));
  EXPECT_EQ(taken, (std::vector<Real>{1, 0}));
  EXPECT_TRUE(heed::core::take_distribution<Real>(std::array{Real(0.25), Real(0.7505)}, taken));
  EXPECT_NEAR(taken[0] + taken[1], 1, std::numeric_limits<Real>::epsilon());
}

TYPED_TEST(RecursionTest, NormaliseLeavesZerosAlone) {
  using Real = TypeParam;
  std::vector<Real> zeros{0, 0};
  heed::core::normalise(std::span<Real>(zeros));
  EXPECT_EQ(zeros, (std::vector<Real>{0, 0}));
  std::vector<Real> values{1, 3};
  heed::core::normalise(std::span<Real>(values));
  EXPECT_EQ(values, (std::vector<Real>{Real(0.25), Real(0.75)}));
}

}  // namespace
