// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

namespace heed::evaluate {
namespace {

struct Golden {
  std::size_t speakers;
  Index windows;
  Index bound;  // k of the 95 % bound
  double tail;  // P(X >= bound)
  Index correct;
  double p;  // P(X >= correct)
};

// scipy 1.10: b = stats.binom(n, 1/N); k = min(k for k in range(n + 1) if b.sf(k - 1) <= .05)
TEST(Chance, BoundAndPValueEqualScipy) {
  const std::vector<Golden> goldens{
      {2, 60, 37, 0.04623049053646187, 38, 0.025946947964460718},
      {2, 600, 321, 0.0470420037630935, 330, 0.007970218518179811},
      {2, 4320, 2215, 0.048614527488780465, 2214, 0.05176191455122219},
      {3, 4320, 1492, 0.048549704802233036, 1500, 0.02770276381023236},
      {4, 20, 9, 0.04092516770651855, 9, 0.04092516770651855},
      {2, 100000, 50261, 0.049722625115752525, 50300, 0.02909867655509517},
  };
  for (const Golden& golden : goldens) {
    const auto n = static_cast<double>(golden.windows);
    const auto chance = Chance::make(golden.speakers, golden.windows);
    EXPECT_EQ(chance.level(), 1 / static_cast<double>(golden.speakers));
    EXPECT_EQ(chance.bound(), static_cast<double>(golden.bound) / n);
    EXPECT_NEAR(chance.p_value(static_cast<double>(golden.bound) / n).value(), golden.tail, 1e-12);
    EXPECT_NEAR(chance.p_value(static_cast<double>(golden.correct) / n).value(), golden.p, 1e-12);
  }
}

// Every sequence of guesses, one by one: each of speakers^n sequences is as likely as another.
RC_GTEST_PROP(Chance, EqualsEnumerationOfAllGuesses, ()) {
  const auto speakers = *rc::gen::inRange<std::size_t>(2, 5);
  const auto windows = *rc::gen::inRange(1, 7);
  const auto correct = *rc::gen::inRange(0, windows + 1);
  double reaching = 0;
  double sequences = 0;
  for (std::size_t code = 0; code < static_cast<std::size_t>(std::pow(speakers, windows)); ++code) {
    int right = 0;
    std::size_t rest = code;
    for (int t = 0; t < windows; ++t, rest /= speakers) right += rest % speakers == 0 ? 1 : 0;
    reaching += right >= correct ? 1 : 0;
    sequences += 1;
  }
  const auto p = Chance::make(speakers, windows).p_value(static_cast<double>(correct) / windows);
  RC_ASSERT(std::abs(p.value() - (reaching / sequences)) < 1e-14);
}

TEST(Chance, FewWindowsHaveNoBound) {
  EXPECT_FALSE(Chance::make(2, 4).bound());  // .5^4 = .0625
  EXPECT_EQ(Chance::make(2, 5).bound(), 1);  // .5^5 = .03125
  EXPECT_FALSE(Chance::make(2, 0).bound());
  EXPECT_FALSE(Chance::make(2, 0).p_value(0.5));
}

TEST(Chance, AnAccuracyBetweenTwoCountsIsRoundedUp) {
  const auto chance = Chance::make(2, 10);
  EXPECT_EQ(chance.p_value(0.75), chance.p_value(0.8));
  EXPECT_EQ(chance.p_value(0), 1);
  EXPECT_DOUBLE_EQ(chance.p_value(1).value(), std::ldexp(1.0, -10));
}

TEST(Chance, BadInputIsRefused) {
  EXPECT_THROW(Chance::make(1, 10), Error);
  EXPECT_THROW(Chance::make(2, -1), Error);
  EXPECT_THROW((void)Chance::make(2, 10).p_value(1.5), Error);
  EXPECT_THROW((void)Chance::make(2, 10).p_value(std::nan("")), Error);
}

}  // namespace
}  // namespace heed::evaluate
