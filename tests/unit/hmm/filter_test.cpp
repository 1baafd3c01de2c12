// SPDX-License-Identifier: MIT
#include <heed/core/attention_filter.h>
#include <heed/hmm/filter.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::hmm::Chain;
using heed::hmm::FilterWorkspace;
using namespace heed::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One causal recursion: a live filter fed window by window gives the very same bits.
TEST(Filter, EqualsTheAttentionFilterBitForBit) {
  for (const Index states : {2, 3, 8}) {
    RandomStream random(11, static_cast<std::uint64_t>(states));
    const auto initial = random_distribution(states, 0.2, random);
    const Chain chain = Chain::sticky(states, 0.003).with_initial(initial);
    const LogLikelihoods data{random_log_likelihoods(2000, states, {.missing = 0.02, .impossible = 0.02}, random)};
    const auto offline = heed::hmm::filter(chain, data);
    auto live = heed::core::AttentionFilter<double, 8>::make(*chain.as_sticky(), chain.initial());
    ASSERT_TRUE(live);
    Index held = 0;
    for (Index t = 0; t < 2000; ++t) {
      if (live->step(heed::data::view(data.values).row(t)) == heed::core::Step::held) ++held;
      for (Index j = 0; j < states; ++j) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(offline.values(t, j)),
                  std::bit_cast<std::uint64_t>(live->belief()[static_cast<std::size_t>(j)]))
            << "window " << t << ", state " << j;
      }
    }
    EXPECT_EQ(offline.held, held);
    EXPECT_GT(held, 0);
  }
}

// lambda_t = l_t + 2 atanh((1-2p) tanh(lambda_t-1 / 2))
TEST(Filter, EqualsTheClosedFormOfTwoSpeakers) {
  for (const double p : {1e-4, 1e-3, 0.05, 0.4}) {
    RandomStream random(12);
    const LogLikelihoods data{random_log_likelihoods(500, 2, {}, random)};
    const auto posteriors = heed::hmm::filter(Chain::sticky(2, p), data);
    double lambda = 0;
    for (Index t = 0; t < 500; ++t) {
      if (t > 0) lambda = 2 * std::atanh((1 - (2 * p)) * std::tanh(lambda / 2));
      lambda += data.values(t, 0) - data.values(t, 1);
      ASSERT_NEAR(posteriors.values(t, 0), 1 / (1 + std::exp(-lambda)), 1e-12) << "p " << p << ", window " << t;
    }
  }
}

TEST(Filter, FirstWindowAbsorbsWithoutPredicting) {
  const Chain chain = Chain::sticky(2, 0.5).with_initial(std::array{0.9, 0.1});
  const auto posteriors = heed::hmm::filter(chain, {Matrix::Zero(2, 2)});
  EXPECT_DOUBLE_EQ(posteriors.values(0, 0), 0.9);
  EXPECT_DOUBLE_EQ(posteriors.values(1, 0), 0.5);
}

TEST(Filter, AMissingWindowPredictsAndIsCounted) {
  Matrix values = Matrix::Zero(6, 2);
  values.row(0) << 0, -2;
  values.row(1) << nan, 0;
  values.row(2) << 5, infinity;
  values.row(3) << -infinity, -infinity;
  const auto posteriors = heed::hmm::filter(Chain::sticky(2, 0.1), {values});
  EXPECT_EQ(posteriors.held, 3);
  double belief = 1 / (1 + std::exp(-2.0));
  EXPECT_NEAR(posteriors.log_evidence, std::log((1 + std::exp(-2.0)) / 2), 1e-15);
  for (Index t = 0; t < 6; ++t) {
    EXPECT_NEAR(posteriors.values(t, 0), belief, 1e-15);
    belief = 0.1 + (0.8 * belief);
  }
}

TEST(Filter, AllWindowsMissingGivesThePrior) {
  const Chain chain = Chain::sticky(3, 0.01);
  const auto posteriors = heed::hmm::filter(chain, {Matrix::Constant(50, 3, nan)});
  EXPECT_EQ(posteriors.held, 50);
  EXPECT_EQ(posteriors.log_evidence, 0);
  EXPECT_LE(largest_difference(posteriors.values, Matrix::Constant(50, 3, 1.0 / 3)), 1e-14);
}

// The largest log-likelihood belongs to a state nobody can be in: it must not set the scale.
TEST(Filter, UnreachableStatesDoNotSetTheScale) {
  Matrix transition(3, 3);
  transition << 0.9, 0.1, 0, 0.2, 0.8, 0, 0, 0, 1;
  const Chain chain = Chain::make(transition).with_initial(std::array{0.5, 0.5, 0.0});
  Matrix values(2, 3);
  values << 0, 0, 5000, -1, -2, 1000;
  const auto posteriors = heed::hmm::filter(chain, {values});
  EXPECT_EQ(posteriors.held, 0);
  EXPECT_NEAR(posteriors.values(1, 0), 0.55 * std::exp(-1) / ((0.55 * std::exp(-1)) + (0.45 * std::exp(-2))), 1e-14);
  EXPECT_EQ(posteriors.values(1, 2), 0);
}

TEST(Filter, KeepsTheWindowLength) {
  EXPECT_EQ(heed::hmm::filter(Chain::sticky(2, 0.1), {Matrix::Zero(1, 2), heed::Seconds{5}}).window, heed::Seconds{5});
}

TEST(Filter, NoWindowsGiveNothing) {
  const auto posteriors = heed::hmm::filter(Chain::sticky(3, 0.1), {});
  EXPECT_EQ(posteriors.values.rows(), 0);
  EXPECT_EQ(posteriors.values.cols(), 3);
  EXPECT_EQ(posteriors.log_evidence, 0);
  EXPECT_EQ(posteriors.held, 0);
}

TEST(Filter, RefusesAWidthThatIsNotTheChains) {
  expect_error(ErrorKind::invalid_argument, {"2 columns", "3 states"},
               [] { heed::hmm::filter(Chain::sticky(3, 0.1), {Matrix::Zero(4, 2)}); });
  expect_error(ErrorKind::invalid_argument, {"2 columns"},
               [] { heed::hmm::filter(Chain::sticky(3, 0.1), {Matrix::Zero(0, 2)}); });
}

TEST(Filter, InPlaceFollowsTheStridesOfItsViews) {
  RandomStream random(13);
  const Matrix wide = random_log_likelihoods(40, 5, {}, random);
  const Matrix narrow = wide.leftCols(2);
  Matrix out = Matrix::Constant(40, 4, 7);
  FilterWorkspace workspace(2);
  const double log_evidence =
      heed::hmm::filter_into(Chain::sticky(2, 0.1), {wide.data(), 40, 2, 5}, workspace, {out.data() + 1, 40, 2, 4});
  const auto expected = heed::hmm::filter(Chain::sticky(2, 0.1), {narrow});
  EXPECT_EQ(log_evidence, expected.log_evidence);
  EXPECT_EQ(largest_difference(out.middleCols(1, 2), expected.values), 0);
  EXPECT_TRUE((out.col(0).array() == 7).all() && (out.col(3).array() == 7).all());
}

TEST(Filter, InPlaceWritesNothingWhereShapesDoNotFit) {
  const Chain chain = Chain::sticky(3, 0.1);
  const Matrix in = Matrix::Zero(4, 3);
  Matrix out = Matrix::Constant(4, 3, 7);
  FilterWorkspace small(2);
  FilterWorkspace right(3);
  EXPECT_TRUE(std::isnan(heed::hmm::filter_into(chain, heed::data::view(in), small, heed::data::view(out))));
  EXPECT_TRUE(
      std::isnan(heed::hmm::filter_into(chain, heed::data::view(in), right, heed::data::view(out).middle_rows(0, 3))));
  EXPECT_TRUE(std::isnan(heed::hmm::filter_into(chain, {in.data(), 4, 2, 3}, right, heed::data::view(out))));
  EXPECT_TRUE((out.array() == 7).all());
}

}  // namespace
