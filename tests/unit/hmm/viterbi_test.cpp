// SPDX-License-Identifier: MIT
#include <heed/hmm/viterbi.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Speaker;
using heed::hmm::Chain;
using heed::hmm::ViterbiWorkspace;
using namespace heed::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using States = std::vector<Speaker>;

// d_t = l_t + clip(d_t-1, +-log((1-p)/p)); the path is read backwards: attention moved to the state it is in
// only where the other led by more than the clip.
TEST(Viterbi, EqualsTheClosedFormOfTwoSpeakers) {
  for (const double p : {1e-4, 1e-3, 0.05, 0.4}) {
    RandomStream random(31);
    const LogLikelihoods data{random_log_likelihoods(500, 2, {}, random)};
    const double edge = std::log((1 - p) / p);
    std::vector<double> lead;
    double before = 0;
    for (Index t = 0; t < 500; ++t) {
      lead.push_back(data.values(t, 0) - data.values(t, 1) + std::clamp(before, -edge, edge));
      before = lead.back();
    }
    States expected(500);
    Speaker state = lead.back() >= 0 ? 0 : 1;
    for (std::size_t t = 500; t-- > 0;) {
      expected[t] = state;
      if (t > 0 && lead[t - 1] > edge) state = 0;
      if (t > 0 && lead[t - 1] < -edge) state = 1;
    }
    EXPECT_EQ(heed::hmm::viterbi(Chain::sticky(2, p), data).states, expected) << "p " << p;
  }
}

// The paper's V_0 leaves the first window's evidence out; with it the only evidence decides.
TEST(Viterbi, FirstWindowCounts) {
  Matrix values = Matrix::Zero(3, 2);
  values(0, 1) = 1;
  const auto path = heed::hmm::viterbi(Chain::sticky(2, 0.1), {values});
  EXPECT_EQ(path.states, (States{1, 1, 1}));
  EXPECT_NEAR(path.log_probability, std::log(0.5) + 1 + (2 * std::log(0.9)), 1e-15);
}

TEST(Viterbi, ATieStaysThenTakesTheLowestIndex) {
  const Matrix flat = Matrix::Zero(4, 3);
  EXPECT_EQ(heed::hmm::viterbi(Chain::sticky(3, 0.1), {flat}).states, (States{0, 0, 0, 0}));
  // Staying and every move are equally likely: the last window's best state must have been there all along.
  Matrix last = flat;
  last(3, 2) = 1;
  const auto uniform = Chain::make(Matrix::Constant(3, 3, 1.0 / 3));
  EXPECT_EQ(heed::hmm::viterbi(uniform, {last}).states, (States{2, 2, 2, 2}));
  EXPECT_EQ(heed::hmm::viterbi(Chain::sticky(2, 0.5), {Matrix(last.rightCols(2))}).states, (States{1, 1, 1, 1}));
  // It cannot stay: of two equal predecessors the lower one.
  Matrix cycle(3, 3);
  cycle << 0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0;
  Matrix two = Matrix::Zero(2, 3);
  two(1, 2) = 1;
  EXPECT_EQ(heed::hmm::viterbi(Chain::make(cycle), {two}).states, (States{0, 2}));
}

TEST(Viterbi, StickyInOrderNEqualsTheGeneralSearch) {
  for (const Index states : {2, 5, 9}) {
    RandomStream random(32, static_cast<std::uint64_t>(states));
    const LogLikelihoods data{random_log_likelihoods(800, states, {.missing = 0.05, .impossible = 0.05}, random)};
    const double p = 0.05;
    const auto quick = heed::hmm::viterbi(Chain::sticky(states, p), data);
    const auto general = heed::hmm::viterbi(Chain::make(plain_sticky_chain(states, p).transition), data);
    EXPECT_EQ(quick.states, general.states);
    EXPECT_NEAR(quick.log_probability, general.log_probability, 1e-10);
    EXPECT_EQ(quick.held, general.held);
    EXPECT_GT(quick.held, 0);
  }
}

// Constants of a window cancel before they meet the scores; only the sum of 3000 of them rounds (ulp 5e-7).
TEST(Viterbi, LargeConstantsDoNotDrift) {
  RandomStream random(33);
  const Matrix values = random_log_likelihoods(3000, 3, {}, random).array().round() / 8;
  const Matrix lifted = values.array() + 1e6;
  const auto path = heed::hmm::viterbi(Chain::sticky(3, 0.01), {values});
  const auto high = heed::hmm::viterbi(Chain::sticky(3, 0.01), {lifted});
  EXPECT_EQ(path.states, high.states);
  EXPECT_NEAR(high.log_probability - 3e9, path.log_probability, 1e-3);
}

TEST(Viterbi, MissingWindowsKeepTheState) {
  Matrix values = Matrix::Zero(5, 2);
  values(0, 1) = values(4, 1) = 3;
  values.row(2) << nan, 9;
  const auto path = heed::hmm::viterbi(Chain::sticky(2, 0.1), {values});
  EXPECT_EQ(path.states, (States{1, 1, 1, 1, 1}));
  EXPECT_EQ(path.held, 1);
  EXPECT_NEAR(path.log_probability, std::log(0.5) + 6 + (4 * std::log(0.9)), 1e-14);
}

// Switching before or after a missing window is equally likely, whatever the rounding says: stay in the new
// state, so before.
TEST(Viterbi, ATieAroundAMissingWindowStays) {
  RandomStream random(34);
  for (int number = 0; number < 200; ++number) {
    const Index states = random.integer(2, 3);
    const Index missing = random.integer(1, 7);
    const double p = 0.001 + (0.1 * random.uniform());
    Matrix values = Matrix::Zero(40 + missing, states);
    values.block(0, 0, 20, 1).setConstant(1 + random.uniform());
    values.middleRows(20, missing).setConstant(nan);
    values.block(20 + missing, 1, 20, 1).setConstant(1 + random.uniform());
    States expected(static_cast<std::size_t>(40 + missing), 1);
    std::fill_n(expected.begin(), 20, 0);
    for (const auto& chain : {Chain::sticky(states, p), Chain::make(plain_sticky_chain(states, p).transition)}) {
      ASSERT_EQ(heed::hmm::viterbi(chain, {values}).states, expected) << "case " << number;
    }
  }
}

TEST(Viterbi, NoWindowsGiveNothing) {
  const auto path = heed::hmm::viterbi(Chain::sticky(3, 0.1), {});
  EXPECT_TRUE(path.states.empty());
  EXPECT_EQ(path.log_probability, 0);
  EXPECT_EQ(path.held, 0);
}

TEST(Viterbi, RefusesAWidthThatIsNotTheChains) {
  expect_error(ErrorKind::invalid_argument, {"3 columns", "2 states"},
               [] { heed::hmm::viterbi(Chain::sticky(2, 0.1), {Matrix::Zero(4, 3)}); });
}

TEST(Viterbi, InPlaceWritesNothingWhereShapesDoNotFit) {
  const Chain chain = Chain::sticky(3, 0.1);
  const Matrix values = Matrix::Zero(4, 3);
  States path(4, 7);
  ViterbiWorkspace small(3, 3);
  ViterbiWorkspace right(4, 3);
  const auto in = heed::data::view(values);
  EXPECT_TRUE(std::isnan(heed::hmm::viterbi_into(chain, in, small, path)));
  EXPECT_TRUE(std::isnan(heed::hmm::viterbi_into(chain, in, right, std::span(path).first(3))));
  EXPECT_TRUE(std::isnan(heed::hmm::viterbi_into(chain, {values.data(), 4, 2, 3}, right, path)));
  EXPECT_EQ(path, (States{7, 7, 7, 7}));
}

}  // namespace
