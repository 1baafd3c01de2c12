// SPDX-License-Identifier: MIT
#include <heed/hmm/filter.h>
#include <heed/hmm/sample.h>
#include <heed/hmm/viterbi.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

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
using heed::unknown_speaker;
using heed::hmm::Chain;
using heed::hmm::path_probability;
using namespace heed::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Calls visit(path) for each of the N^T paths.
template <typename Visit>
void for_each_path(Index windows, Index states, Visit visit) {
  std::vector<Speaker> path(static_cast<std::size_t>(windows), 0);
  for (;;) {
    visit(path);
    std::size_t t = 0;
    while (t < path.size() && path[t] + 1 == states) path[t++] = 0;
    if (t == path.size()) return;
    ++path[t];
  }
}

// What all paths sum up to, and the largest of them.
struct AllPaths {
  long double prior = 0;
  long double joint = 0;
  double largest = -infinity;
};

AllPaths all_paths(const Chain& chain, const LogLikelihoods& data) {
  AllPaths all;
  for_each_path(data.values.rows(), chain.states(), [&](const std::vector<Speaker>& path) {
    const auto one = path_probability(chain, data, path);
    all.prior += std::exp(static_cast<long double>(one.log_prior));
    all.joint += std::exp(static_cast<long double>(one.log_joint));
    all.largest = std::max(all.largest, one.log_joint);
  });
  return all;
}

TEST(PathProbability, IsTheProductOfEquationsOneToThree) {
  const Chain chain = Chain::sticky(3, 0.1).with_initial(std::array{0.5, 0.3, 0.2});
  Matrix values(4, 3);
  values << -1, -2, -3, 0.5, -0.5, 0, nan, 7, 7, -1, -0.25, -infinity;
  const std::vector<Speaker> path{1, 1, 0, 0};
  const auto found = path_probability(chain, {values}, path);
  EXPECT_NEAR(found.log_prior, std::log(0.3 * 0.8 * 0.1 * 0.8), 1e-14);
  EXPECT_NEAR(found.log_joint, std::log(0.3 * 0.8 * 0.1 * 0.8) - 2 - 0.5 - 1, 1e-14);
  EXPECT_EQ(found.held, 1);
  EXPECT_EQ(found.log_evidence, heed::hmm::filter(chain, {values}).log_evidence);
  EXPECT_EQ(path_probability(chain, {values}, std::vector<Speaker>{1, 1, 0, 2}).log_joint, -infinity);
}

// Dense chains and sticky ones, zeros in them, missing and impossible windows.
TEST(PathProbability, OfAllPathsIsTheEvidenceAndTheLargestIsViterbis) {
  RandomStream random(181);
  for (int k = 0; k < 60; ++k) {
    const Index states = 2 + (k % 2);
    const Hardness hardness{.zero = k % 3 == 0 ? 0.2 : 0, .missing = 0.2, .impossible = k % 4 == 0 ? 0.15 : 0};
    const PlainChain plain =
        k % 5 == 0 ? plain_sticky_chain(states, 0.3 * random.uniform()) : random_chain(states, hardness, random);
    const Chain chain = k % 5 == 0 ? Chain::sticky(states, plain.transition(0, 1)) : to_chain(plain);
    const LogLikelihoods data{random_log_likelihoods(6, states, hardness, random)};
    const AllPaths all = all_paths(chain, data);
    EXPECT_NEAR(static_cast<double>(all.prior), 1, 1e-13) << k;
    EXPECT_NEAR(static_cast<double>(std::log(all.joint)), enumerate_paths(plain, data.values).log_evidence, 1e-12) << k;
    const auto best = heed::hmm::viterbi(chain, data);
    EXPECT_NEAR(best.log_probability, all.largest, 1e-12) << k;
    const auto found = path_probability(chain, data, best.states);
    EXPECT_NEAR(found.log_joint, best.log_probability, 1e-12) << k;
    EXPECT_EQ(found.held, best.held) << k;
    EXPECT_LE(found.log_posterior(), 1e-12) << k;
  }
}

// Labels are often missing where a window straddles a switch.
TEST(PathProbability, SumsOverWindowsThatAreNotKnown) {
  RandomStream random(182);
  for (int k = 0; k < 40; ++k) {
    const Hardness hardness{.zero = k % 2 == 0 ? 0.2 : 0, .missing = 0.2, .impossible = 0.1};
    const Chain chain = k % 4 == 3 ? Chain::sticky(3, 0.2) : to_chain(random_chain(3, hardness, random));
    const LogLikelihoods data{random_log_likelihoods(6, 3, hardness, random)};
    std::vector<Speaker> path(6, unknown_speaker);
    for (Speaker& state : path) {
      if (random.uniform() < 0.5) state = static_cast<Speaker>(random.integer(0, 2));
    }
    long double prior = 0;
    long double joint = 0;
    for_each_path(6, 3, [&](const std::vector<Speaker>& whole) {
      for (std::size_t t = 0; t < path.size(); ++t) {
        if (path[t] != unknown_speaker && path[t] != whole[t]) return;
      }
      const auto one = path_probability(chain, data, whole);
      prior += std::exp(static_cast<long double>(one.log_prior));
      joint += std::exp(static_cast<long double>(one.log_joint));
    });
    const auto found = path_probability(chain, data, path);
    EXPECT_NEAR(std::exp(found.log_prior), static_cast<double>(prior), 1e-13) << k;
    EXPECT_NEAR(std::exp(found.log_joint), static_cast<double>(joint), 1e-12 * static_cast<double>(joint)) << k;
  }
}

TEST(PathProbability, AgreesBetweenStickyAndDenseChainsOfManySpeakers) {
  RandomStream random(183);
  const Chain sticky = Chain::sticky(64, 0.001);
  const Chain dense = Chain::make(plain_sticky_chain(64, 0.001).transition);
  const LogLikelihoods data{random_log_likelihoods(200, 64, {.missing = 0.05}, random)};
  auto path = heed::hmm::sample_prior(sticky, 200, random).states;
  for (std::size_t t = 0; t < path.size(); t += 7) path[t] = unknown_speaker;
  const auto by_sticky = path_probability(sticky, data, path);
  const auto by_dense = path_probability(dense, data, path);
  EXPECT_NEAR(by_sticky.log_joint, by_dense.log_joint, 1e-9);
  EXPECT_NEAR(by_sticky.log_prior, by_dense.log_prior, 1e-9);
  const std::vector<Speaker> anything(200, unknown_speaker);
  EXPECT_NEAR(path_probability(sticky, data, anything).log_posterior(), 0, 1e-9);
}

TEST(PathProbability, AddsOverSequencesAndOfNothingIsCertain) {
  const Chain chain = Chain::sticky(2, 0.1);
  auto sum = path_probability(chain, {Matrix(0, 2)}, {});
  EXPECT_EQ(sum.log_joint, 0);
  const LogLikelihoods one{Matrix::Constant(2, 2, -1)};
  sum += path_probability(chain, one, std::array{0, 1});
  sum += path_probability(chain, one, std::array{0, 0});
  EXPECT_NEAR(sum.log_prior, std::log(0.25 * 0.1 * 0.9), 1e-14);
  EXPECT_NEAR(sum.log_posterior(), std::log(0.25 * 0.1 * 0.9), 1e-13);
}

TEST(PathProbability, RefusesPathsThatDoNotFit) {
  const Chain chain = Chain::sticky(2, 0.1);
  const LogLikelihoods data{Matrix::Zero(3, 2)};
  const auto refused = [&](const LogLikelihoods& windows, std::vector<Speaker> path, const char* words) {
    expect_error(ErrorKind::invalid_argument, {words}, [&] { (void)path_probability(chain, windows, path); });
  };
  refused(data, {0, 1}, "2 states for 3 windows");
  refused(data, {0, 1, 2}, "window 3 of the path is in state 2");
  refused({Matrix::Zero(3, 3)}, {0, 1, 1}, "3 columns");
}

}  // namespace
