// SPDX-License-Identifier: MIT
#include <heed/hmm/filter.h>
#include <heed/hmm/smooth.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::hmm::Chain;
using heed::hmm::SmoothWorkspace;
using namespace heed::test;

// The log-odds of a forward and a backward closed form add up.
TEST(Smooth, EqualsTheClosedFormOfTwoSpeakers) {
  for (const double p : {1e-4, 1e-3, 0.05, 0.4}) {
    RandomStream random(21);
    const LogLikelihoods data{random_log_likelihoods(500, 2, {}, random)};
    const auto posteriors = heed::hmm::smooth(Chain::sticky(2, p), data);
    const auto filtered = heed::hmm::filter(Chain::sticky(2, p), data);
    double future = 0;
    for (Index t = 499; t >= 0; --t) {
      const double odds = std::log(filtered.values(t, 0) / filtered.values(t, 1)) + future;
      ASSERT_NEAR(posteriors.values(t, 0), 1 / (1 + std::exp(-odds)), 1e-12) << "p " << p << ", window " << t;
      future = 2 * std::atanh((1 - (2 * p)) * std::tanh((data.values(t, 0) - data.values(t, 1) + future) / 2));
    }
  }
}

TEST(Smooth, AStickyMatrixGivenAsGeneralAgrees) {
  RandomStream random(22);
  const LogLikelihoods data{random_log_likelihoods(400, 4, {.missing = 0.05, .impossible = 0.05}, random)};
  const auto sticky = heed::hmm::smooth(Chain::sticky(4, 0.01), data);
  const auto general = heed::hmm::smooth(Chain::make(plain_sticky_chain(4, 0.01).transition), data);
  EXPECT_LE(largest_difference(sticky.values, general.values), 1e-12);
  EXPECT_NEAR(sticky.log_evidence, general.log_evidence, 1e-10);
  EXPECT_EQ(sticky.held, general.held);
  EXPECT_GT(sticky.held, 0);
}

// 2000 windows of certainty one way and the other: exponents far beyond a double's must cancel.
TEST(Smooth, SurvivesExtremeEvidence) {
  Matrix values = Matrix::Zero(2000, 2);
  for (Index t = 0; t < 2000; ++t) values(t, t < 1000 ? 0 : 1) = 1e4;
  for (const auto& chain : {Chain::sticky(2, 1e-3), Chain::make(plain_sticky_chain(2, 1e-3).transition)}) {
    const auto posteriors = heed::hmm::smooth(chain, {values});
    EXPECT_TRUE(posteriors.values.allFinite());
    EXPECT_NEAR(posteriors.values(999, 0), 1, 1e-15);
    EXPECT_NEAR(posteriors.values(1000, 1), 1, 1e-15);
    EXPECT_NEAR(posteriors.log_evidence, 2e7 + std::log(0.5) + (1998 * std::log(0.999)) + std::log(0.001), 1e-6);
  }
}

// Certainty against a transition of 1e-300: from state 0, only that transition explains the later windows, and
// state 1, which leads there at once, was never possible.
TEST(Smooth, TinyTransitionsUnderExtremeEvidence) {
  Matrix transition(3, 3);
  transition << 1, 0, 1e-300, 0, 0, 1, 0, 0, 1;
  const Chain chain = Chain::make(transition).with_initial(std::array{1.0, 0.0, 0.0});
  Matrix values = Matrix::Zero(4, 3);
  values.bottomLeftCorner(2, 1).setConstant(-800);
  const auto posteriors = heed::hmm::smooth(chain, {values});
  Matrix expected(4, 3);  // it moved into window 1 or into window 2, one as likely as the other
  expected << 1, 0, 0, 0.5, 0, 0.5, 0, 0, 1, 0, 0, 1;
  EXPECT_LE(largest_difference(posteriors.values, expected), 1e-15) << posteriors.values;
  EXPECT_NEAR(posteriors.log_evidence, std::log(2e-300), 1e-10);
}

TEST(Smooth, WorkspaceServesShorterAndGrowsOnRequest) {
  RandomStream random(23);
  const Chain chain = Chain::sticky(3, 0.02);
  const Matrix values = random_log_likelihoods(100, 3, {}, random);
  SmoothWorkspace workspace(60, 3);
  Matrix out(100, 3);
  const auto in = heed::data::view(values);
  EXPECT_TRUE(std::isnan(heed::hmm::smooth_into(chain, in, workspace, heed::data::view(out))));
  const double shorter =
      heed::hmm::smooth_into(chain, in.middle_rows(0, 50), workspace, heed::data::view(out).middle_rows(0, 50));
  const auto first = heed::hmm::smooth(chain, {Matrix(values.topRows(50))});
  EXPECT_EQ(shorter, first.log_evidence);
  EXPECT_EQ(largest_difference(out.topRows(50), first.values), 0);
  workspace.prepare(100, 3);
  const double all = heed::hmm::smooth_into(chain, in, workspace, heed::data::view(out));
  EXPECT_EQ(all, heed::hmm::smooth(chain, {values}).log_evidence);
}

TEST(Smooth, NoWindowsGiveNothing) {
  const auto posteriors = heed::hmm::smooth(Chain::sticky(3, 0.1), {});
  EXPECT_EQ(posteriors.values.rows(), 0);
  EXPECT_EQ(posteriors.values.cols(), 3);
  EXPECT_EQ(posteriors.log_evidence, 0);
}

TEST(Smooth, RefusesAWidthThatIsNotTheChains) {
  expect_error(ErrorKind::invalid_argument, {"3 columns", "2 states"},
               [] { heed::hmm::smooth(Chain::sticky(2, 0.1), {Matrix::Zero(4, 3)}); });
}

}  // namespace
