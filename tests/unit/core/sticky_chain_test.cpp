// SPDX-License-Identifier: MIT
#include <heed/core/recursion.h>

#include "unit/core/long_double_oracle.h"
#include "unit/core/real_types.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace {

using heed::core::StickyChain;
using heed::test::dense_sticky;
using heed::test::infinity;
using heed::test::nan;

template <typename Real>
class StickyChainTest : public testing::Test {};
TYPED_TEST_SUITE(StickyChainTest, heed::test::Reals);

TYPED_TEST(StickyChainTest, WantsTwoStatesAndPUpToOneOverN) {
  using Real = TypeParam;
  using Chain = StickyChain<Real>;
  EXPECT_FALSE(Chain::make(0, Real(0.1)));
  EXPECT_FALSE(Chain::make(1, Real(0.1)));
  for (const std::size_t states : {2, 3, 5, 7}) {
    const Real limit = Real{1} / static_cast<Real>(states);
    EXPECT_TRUE(Chain::make(states, limit));
    EXPECT_TRUE(Chain::make(states, std::numeric_limits<Real>::denorm_min()));
    for (const Real bad : {Real(0), Real(-0.1), std::nextafter(limit, Real(1)), Real(1), nan<Real>, infinity<Real>}) {
      EXPECT_FALSE(Chain::make(states, bad)) << "p = " << bad << ", N = " << states;
    }
  }
}

TYPED_TEST(StickyChainTest, SaysWhatItWasMadeOf) {
  using Real = TypeParam;
  const auto chain = StickyChain<Real>::make(3, Real(0.125));
  EXPECT_EQ(chain->states(), 3U);
  EXPECT_EQ(chain->move(), Real(0.125));
  EXPECT_EQ(chain->stay(), Real(0.75));
}

TYPED_TEST(StickyChainTest, PredictsAsTheDenseMatrixDoes) {
  using Real = TypeParam;
  for (const std::size_t states : {2, 3, 4, 8}) {
    for (const double p : {1e-6, 1e-3, 0.03, 0.125}) {
      const auto chain = StickyChain<Real>::make(states, static_cast<Real>(p));
      const auto matrix = dense_sticky(states, static_cast<long double>(static_cast<Real>(p)));
      std::vector<Real> belief(states);  // need not sum to one
      for (std::size_t j = 0; j < states; ++j) belief[j] = static_cast<Real>((j * j) + 1) / 7;
      const std::vector<Real> before = belief;
      chain->predict(belief);
      for (std::size_t to = 0; to < states; ++to) {
        long double expected = 0;
        for (std::size_t from = 0; from < states; ++from) expected += before[from] * matrix[from][to];
        EXPECT_LE(std::abs((belief[to] / expected) - 1), 8 * std::numeric_limits<Real>::epsilon());
      }
    }
  }
}

// At p = 1/N the next window knows nothing of the last, exactly.
TYPED_TEST(StickyChainTest, ForgetsEverythingAtOneOverN) {
  using Real = TypeParam;
  for (std::size_t states = 2; states < 12; ++states) {
    const auto chain = StickyChain<Real>::make(states, Real{1} / static_cast<Real>(states));
    std::vector<Real> belief(states, 0);
    belief[1] = 1;
    chain->predict(belief);
    for (const Real b : belief) EXPECT_EQ(b, belief[0]) << states << " states";
    EXPECT_NEAR(belief[0], Real{1} / static_cast<Real>(states), std::numeric_limits<Real>::epsilon());
  }
}

// Exact numbers, so the two must agree to the bit.
TYPED_TEST(StickyChainTest, PredictsADistributionWithoutItsSum) {
  using Real = TypeParam;
  const auto chain = StickyChain<Real>::make(3, Real(0.0625));
  std::vector<Real> belief{Real(0.5), Real(0.375), Real(0.125)};
  std::vector<Real> same = belief;
  chain->predict(belief);
  chain->predict_normalised(same);
  EXPECT_EQ(belief, same);
  EXPECT_EQ(chain->kept(), Real(0.8125));
}

TYPED_TEST(StickyChainTest, KeepsNothingRatherThanLessAtOneOverN) {
  using Real = TypeParam;
  for (std::size_t states = 2; states < 1000; ++states) {
    const Real kept = StickyChain<Real>::make(states, Real{1} / static_cast<Real>(states))->kept();
    EXPECT_GE(kept, 0);
    EXPECT_LE(kept, std::numeric_limits<Real>::epsilon());
  }
}

TYPED_TEST(StickyChainTest, ComesToRestAtUniform) {
  using Real = TypeParam;
  const auto chain = StickyChain<Real>::make(4, Real(0.1));
  std::array<Real, 4> belief{0, 0, 1, 0};
  for (int t = 0; t < 200; ++t) chain->predict(belief);
  for (const Real b : belief) EXPECT_NEAR(b, 0.25, 200 * std::numeric_limits<Real>::epsilon());
}

TYPED_TEST(StickyChainTest, WorksBeforeTheProgramRuns) {
  using Real = TypeParam;
  static constexpr auto predicted = [] {
    std::array<Real, 2> belief{1, 0};
    StickyChain<Real>::make(2, Real(0.25))->predict(belief);
    return belief;
  }();
  static_assert(predicted[0] == Real(0.75) && predicted[1] == Real(0.25));
  static_assert(!StickyChain<Real>::make(2, Real(0.75)));
  EXPECT_EQ(predicted[0] + predicted[1], 1);
}

}  // namespace
