// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/summary.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::evaluate {
namespace {

Wilcoxon test_of(const std::vector<double>& differences) {
  return wilcoxon_signed_rank(std::span<const double>(differences)).value();
}

// Sizes that jump about, none twice.
std::vector<double> ramp(std::size_t n, double offset) {
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = (static_cast<double>((k * 37) % 101) - offset) / 7;
  return values;
}

// scipy 1.10: stats.wilcoxon(d, mode='exact')
TEST(Wilcoxon, ExactEqualsScipy) {
  const auto eight = test_of({1.83, -0.5, 0.9, 2.3, -1.1, 0.77, 3.1, 0.2});
  EXPECT_TRUE(eight.exact);
  EXPECT_EQ(eight.n, 8U);
  EXPECT_EQ(eight.statistic, 7);
  EXPECT_DOUBLE_EQ(eight.p, 0.1484375);

  const auto thirteen = test_of({.03, -.011, .052, .047, .021, -.008, .064, .017, .039, .005, .028, -.002, .071});
  EXPECT_EQ(thirteen.statistic, 8);
  EXPECT_DOUBLE_EQ(thirteen.p, 0.006103515625);

  const auto differences = ramp(25, 40.5);  // [((k * 37) % 101 - 40.5) / 7 for k in range(25)]
  EXPECT_TRUE(test_of(differences).exact);
  EXPECT_EQ(test_of(differences).statistic, 121);
  EXPECT_DOUBLE_EQ(test_of(differences).p, 0.2751842737197876);
}

// scipy 1.10: stats.wilcoxon(d, mode='approx', correction=True, zero_method='wilcox')
TEST(Wilcoxon, NormalApproximationEqualsScipy) {
  const auto differences = ramp(26, 40.25);  // [((k * 37) % 101 - 40.25) / 7 for k in range(26)]
  EXPECT_FALSE(test_of(differences).exact);
  EXPECT_EQ(test_of(differences).statistic, 138);
  EXPECT_NEAR(test_of(differences).p, 0.34735855676255367, 1e-14);

  const auto ties = test_of({1, 1, -2, 3, 3, 3, -4, 5, 6, 0, 0, 7});
  EXPECT_FALSE(ties.exact);
  EXPECT_EQ(ties.n, 10U);
  EXPECT_EQ(ties.statistic, 10);
  EXPECT_NEAR(ties.p, 0.08213085320446505, 1e-14);

  const auto all_tied = test_of({2, 2, 2, 2, -2});
  EXPECT_EQ(all_tied.statistic, 3);
  EXPECT_NEAR(all_tied.p, 0.23303798227390538, 1e-14);
}

// Every pattern of signs on the same sizes: p is the share of those at least as lopsided.
RC_GTEST_PROP(Wilcoxon, ExactEqualsEnumerationOfSigns, ()) {
  const auto sizes = *rc::gen::suchThat(rc::gen::unique<std::vector<int>>(rc::gen::inRange(1, 1000)),
                                        [](const auto& drawn) { return !drawn.empty() && drawn.size() <= 10; });
  std::vector<double> differences(sizes.begin(), sizes.end());
  for (double& difference : differences) difference *= *rc::gen::arbitrary<bool>() ? 1 : -1;

  const auto lopsidedness = [&](unsigned signs) {
    double positive = 0;
    double negative = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const auto rank =
          static_cast<double>(std::count_if(sizes.begin(), sizes.end(), [&](int other) { return other <= sizes[k]; }));
      (((signs >> k) & 1U) != 0 ? positive : negative) += rank;
    }
    return std::abs(positive - negative);
  };
  unsigned observed = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) observed |= differences[k] > 0 ? 1U << k : 0U;
  const unsigned patterns = 1U << sizes.size();
  double extreme = 0;
  for (unsigned signs = 0; signs < patterns; ++signs) extreme += lopsidedness(signs) >= lopsidedness(observed) ? 1 : 0;

  const auto result = test_of(differences);
  RC_ASSERT(result.exact);
  RC_ASSERT(std::abs(result.p - (extreme / patterns)) < 1e-15);
}

TEST(Wilcoxon, ZerosAreDroppedAndNoneLeftIsNothing) {
  const auto with_zeros = test_of({0, 1, 0, 2, -3});
  EXPECT_TRUE(with_zeros.exact);
  EXPECT_EQ(with_zeros.n, 3U);
  EXPECT_EQ(with_zeros.p, test_of({1, 2, -3}).p);
  EXPECT_FALSE(wilcoxon_signed_rank(std::span<const double>()));
  const std::vector<double> zeros(4, 0.0);
  EXPECT_FALSE(wilcoxon_signed_rank(std::span<const double>(zeros)));
}

TEST(Wilcoxon, BalancedDifferencesHaveProbabilityOne) {
  EXPECT_EQ(test_of({5}).p, 1);
  EXPECT_EQ(test_of({1, 2, -3}).p, 1);
  EXPECT_EQ(test_of({1, -1, 2, -2}).p, 1);  // ties, exactly at the mean
}

TEST(Wilcoxon, PairsWithAMissingHalfAreLeftOut) {
  const std::vector<std::optional<double>> first{1.0, 5.0, std::nullopt, 9.0, 2.0};
  const std::vector<std::optional<double>> second{3.0, 4.0, 1.0, std::nullopt, 7.0};
  const auto result = wilcoxon_signed_rank(first, second).value();
  EXPECT_EQ(result.n, 3U);
  EXPECT_EQ(result.p, test_of({-2, 1, -5}).p);
  EXPECT_EQ(result.statistic, 1);
  EXPECT_THROW((void)wilcoxon_signed_rank(first, std::span(second).first(4)), Error);
}

TEST(Wilcoxon, ADifferenceMustBeANumber) {
  EXPECT_THROW((void)test_of({1, std::numeric_limits<double>::quiet_NaN()}), Error);
  EXPECT_THROW((void)test_of({1, std::numeric_limits<double>::infinity()}), Error);
}

// Of n = 8 the signs + - + + - + + + of ranks 6 2 5 7 4 3 8 1 (as above): W- = 7; 19 of 256 patterns reach no more.
TEST(Wilcoxon, OneSidedIsATailOfTheSameDistribution) {
  const auto eight = test_of({1.83, -0.5, 0.9, 2.3, -1.1, 0.77, 3.1, 0.2});
  EXPECT_DOUBLE_EQ(eight.p_positive, 19.0 / 256);
  EXPECT_DOUBLE_EQ(eight.p, 2 * eight.p_positive);
  EXPECT_GT(eight.p_negative, 0.9);
  const auto turned = test_of({-1.83, 0.5, -0.9, -2.3, 1.1, -0.77, -3.1, -0.2});
  EXPECT_DOUBLE_EQ(turned.p_negative, eight.p_positive);
}

// U and p by listing all 10 over 4 = 210 choices of ranks.
TEST(RankSum, ExactEqualsEnumeration) {
  const std::vector<double> first{1.2, 3.4, 5.6, 7.8};
  const std::vector<double> second{0.1, 0.2, 2.5, 4.5, 0.7, 0.9};
  double u = 0;
  for (const double a : first) {
    for (const double b : second) u += a > b ? 1 : 0;
  }
  int as_large = 0;
  int all = 0;
  for (unsigned chosen = 0; chosen < 1024; ++chosen) {
    if (std::popcount(chosen) != 4) continue;
    int pairs = 0;
    for (unsigned i = 0; i < 10; ++i) {
      for (unsigned j = 0; j < i; ++j) pairs += (chosen >> i & 1U) != 0 && (chosen >> j & 1U) == 0 ? 1 : 0;
    }
    ++all;
    as_large += pairs >= u ? 1 : 0;
  }
  const auto found = wilcoxon_rank_sum(first, second).value();
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.statistic, u);
  EXPECT_EQ(all, 210);
  EXPECT_DOUBLE_EQ(found.p_positive, static_cast<double>(as_large) / all);
  EXPECT_DOUBLE_EQ(found.p, std::min(1.0, 2 * found.p_positive));
  EXPECT_DOUBLE_EQ(wilcoxon_rank_sum(second, first).value().p_negative, found.p_positive);
}

// By hand: U = 2.5 + 3 + 3 + 4 of 16, mean 8, one tie of two among eight: variance 16/12 (9 - 6/56); z = (4.5 -
// .5)/sqrt(variance).
TEST(RankSum, NormalApproximationCorrectsForTiesAndContinuity) {
  const auto found = wilcoxon_rank_sum(std::vector<double>{3, 5, 6, 7}, std::vector<double>{1, 2, 3, 6.5}).value();
  EXPECT_FALSE(found.exact);
  EXPECT_EQ(found.statistic, 12.5);
  const double variance = 16.0 / 12 * (9 - (6.0 / 56));
  EXPECT_NEAR(found.p, std::erfc((12.5 - 8 - 0.5) / std::sqrt(2 * variance)), 1e-14);
}

TEST(RankSum, NeedsTwoSidesThatDiffer) {
  const std::vector<double> none;
  const std::vector<double> ones{1, 1, 1};
  EXPECT_FALSE(wilcoxon_rank_sum(none, ones));
  EXPECT_FALSE(wilcoxon_rank_sum(ones, ones));
  EXPECT_THROW((void)wilcoxon_rank_sum(ones, std::vector<double>{std::nan("")}), Error);
}

}  // namespace
}  // namespace heed::evaluate
