// SPDX-License-Identifier: MIT
// The counts themselves are tested against enumeration in exactness_test.cpp; here: labels and storage.
#include <heed/hmm/baum_welch.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace {

using heed::AttentionTrack;
using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::unknown_speaker;
using heed::hmm::Chain;
using heed::hmm::ExpectationWorkspace;
using namespace heed::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Clamping is conditioning: the enumeration over the paths that agree with the labels.
TEST(Expectation, LabelsConditionThePaths) {
  for (std::uint64_t number = 0; number < 30; ++number) {
    RandomStream random(51, number);
    const PlainChain plain = random_chain(3, {}, random);
    const LogLikelihoods data{random_log_likelihoods(6, 3, {}, random)};
    AttentionTrack labels{std::vector<heed::Speaker>(6, unknown_speaker)};
    Matrix only_labelled = data.values;
    for (std::size_t t = 0; t < 6; ++t) {
      if (random.uniform() < 0.5) continue;
      labels.attended[t] = static_cast<heed::Speaker>(random.integer(0, 2));
      for (Index j = 0; j < 3; ++j) {
        if (j != labels.attended[t]) only_labelled(static_cast<Index>(t), j) = -infinity;
      }
    }
    const auto truth = enumerate_paths(plain, only_labelled);
    const auto expected = heed::hmm::expectation(to_chain(plain), data, labels);
    EXPECT_LE(largest_difference(expected.posteriors.values, truth.given.back()), 1e-12);
    EXPECT_LE(largest_difference(expected.transitions.pairs, truth.pairs), 1e-12);
    EXPECT_NEAR(expected.posteriors.log_evidence, truth.log_evidence, 1e-12);
  }
}

TEST(Expectation, StepsAddUpAlsoThroughMissingWindows) {
  RandomStream random(52);
  const LogLikelihoods data{random_log_likelihoods(1000, 3, {.missing = 0.2, .impossible = 0.1}, random)};
  const auto expected = heed::hmm::expectation(Chain::sticky(3, 0.02), data);
  EXPECT_NEAR(expected.transitions.stays + expected.transitions.switches, 999, 1e-10);
  EXPECT_EQ(expected.transitions.pairs.size(), 0);
  EXPECT_GT(expected.posteriors.held, 100);
}

TEST(Expectation, CountsAdd) {
  RandomStream random(53);
  const Chain chain = to_chain(random_chain(3, {}, random));
  const auto one = heed::hmm::expectation(chain, {random_log_likelihoods(20, 3, {}, random)}).transitions;
  const auto two = heed::hmm::expectation(chain, {random_log_likelihoods(30, 3, {}, random)}).transitions;
  heed::hmm::TransitionCounts sum;
  sum += one;
  sum += two;
  EXPECT_NEAR(sum.stays + sum.switches, 19 + 29, 1e-12);
  EXPECT_EQ(largest_difference(sum.pairs, one.pairs + two.pairs), 0);
}

TEST(Clamp, LeavesOnlyTheLabelledState) {
  Matrix values(6, 2);
  values << 1, 2, 1, 2, nan, 2, 1, infinity, -infinity, 2, 3, 4;
  const auto clamped = heed::hmm::clamp({values}, {{unknown_speaker, 0, 1, 0, 0, 1}}).values;
  Matrix expected(6, 2);
  expected << 1, 2, 1, -infinity, -infinity, 0, 0, -infinity, 0, -infinity, -infinity, 4;
  EXPECT_TRUE((clamped.array() == expected.array()).all()) << clamped;
}

TEST(Expectation, ALabelOutweighsAMissingScore) {
  const auto expected =
      heed::hmm::expectation(Chain::sticky(2, 0.1), {Matrix::Constant(2, 2, nan)}, {{1, unknown_speaker}});
  EXPECT_EQ(expected.posteriors.values(0, 1), 1);
  EXPECT_NEAR(expected.posteriors.values(1, 1), 0.9, 1e-15);
  EXPECT_EQ(expected.posteriors.held, 1);
}

TEST(Expectation, RefusesLabelsThatDoNotFit) {
  const Chain chain = Chain::sticky(2, 0.1);
  const LogLikelihoods data{Matrix::Zero(3, 2)};
  expect_error(ErrorKind::invalid_argument, {"2 labels", "3 windows"}, [&] {
    heed::hmm::expectation(chain, data, {{0, 1}});
  });
  expect_error(ErrorKind::invalid_argument, {"window 2", "labelled 2", "0 to 1"}, [&] {
    heed::hmm::expectation(chain, data, {{0, 2, 1}});
  });
  expect_error(ErrorKind::invalid_argument, {"window 3", "labelled -2"}, [&] {
    heed::hmm::expectation(chain, data, {{0, 1, -2}});
  });
  expect_error(ErrorKind::invalid_argument, {"2 columns", "3 states"},
               [&] { heed::hmm::expectation(Chain::sticky(3, 0.1), data); });
}

TEST(Expectation, SaysWhichLabelTheChainCannotReach) {
  const Chain absorbing = Chain::make((Matrix(2, 2) << 0.5, 0.5, 0, 1).finished());
  expect_error(ErrorKind::bad_data, {"window 3", "labelled 0", "cannot reach"}, [&] {
    heed::hmm::expectation(absorbing, {Matrix::Zero(4, 2)}, {{0, 1, 0, unknown_speaker}});
  });
}

TEST(Expectation, NoWindowsGiveNothing) {
  const auto expected = heed::hmm::expectation(Chain::sticky(2, 0.1), {});
  EXPECT_EQ(expected.posteriors.values.rows(), 0);
  EXPECT_EQ(expected.transitions.stays + expected.transitions.switches, 0);
}

TEST(Expectation, WorkspaceForgetsTheChainBefore) {
  RandomStream random(54);
  const Matrix values = random_log_likelihoods(30, 3, {}, random);
  const Chain general = to_chain(random_chain(3, {}, random));
  ExpectationWorkspace workspace(30, 3);
  Matrix out(30, 3);
  heed::hmm::expectation_into(general, heed::data::view(values), workspace, heed::data::view(out));
  const double sticky =
      heed::hmm::expectation_into(Chain::sticky(3, 0.1), heed::data::view(values), workspace, heed::data::view(out));
  EXPECT_EQ(sticky, heed::hmm::expectation(Chain::sticky(3, 0.1), {values}).posteriors.log_evidence);
  EXPECT_EQ(workspace.transitions().pairs.size(), 0);
  heed::hmm::expectation_into(general, heed::data::view(values), workspace, heed::data::view(out));
  EXPECT_NEAR(workspace.transitions().pairs.sum(), 29, 1e-12);
  ExpectationWorkspace small(29, 3);
  EXPECT_TRUE(std::isnan(heed::hmm::expectation_into(general, heed::data::view(values), small, heed::data::view(out))));
}

}  // namespace
