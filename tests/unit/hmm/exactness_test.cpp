// SPDX-License-Identifier: MIT
// Every algorithm of the layer against the enumeration of all paths, to 1e-12: random asymmetric chains
// with zeros, missing windows and impossible states among them; and against the paper's Algorithm 1.
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::hmm::Chain;
using namespace heed::test;

constexpr double tolerance = 1e-12;

// Row t = P(S_t | windows 0..min(t+lag, end)).
Matrix with_lag(const Enumeration& truth, Index lag) {
  const auto last = static_cast<Index>(truth.given.size()) - 1;
  Matrix rows(last + 1, truth.pairs.cols());
  for (Index t = 0; t <= last; ++t) rows.row(t) = truth.given[static_cast<std::size_t>(std::min(t + lag, last))].row(t);
  return rows;
}

void expect_equals_enumeration(const Chain& chain, const PlainChain& plain, const LogLikelihoods& data) {
  const Enumeration truth = enumerate_paths(plain, data.values);
  const Index windows = data.values.rows();

  const auto filtered = heed::hmm::filter(chain, data);
  EXPECT_LE(largest_difference(filtered.values, with_lag(truth, 0)), tolerance);
  EXPECT_NEAR(filtered.log_evidence, truth.log_evidence, tolerance);
  EXPECT_EQ(filtered.held, truth.held);

  const auto smoothed = heed::hmm::smooth(chain, data);
  EXPECT_LE(largest_difference(smoothed.values, truth.given.back()), tolerance);
  EXPECT_NEAR(smoothed.log_evidence, truth.log_evidence, tolerance);
  EXPECT_EQ(smoothed.held, truth.held);

  for (Index lag = 0; lag <= windows; ++lag) {
    const auto lagged = heed::hmm::fixed_lag(chain, data, heed::Seconds{static_cast<double>(lag)});
    EXPECT_LE(largest_difference(lagged.values, with_lag(truth, lag)), tolerance) << "lag " << lag;
    EXPECT_NEAR(lagged.log_evidence, truth.log_evidence, tolerance);
    EXPECT_EQ(lagged.held, truth.held);
  }

  const auto path = heed::hmm::viterbi(chain, data);
  EXPECT_NEAR(path.log_probability, truth.best, tolerance);
  EXPECT_EQ(path.held, truth.held);
  if (truth.best - truth.runner_up > 1e-9) {
    EXPECT_EQ(path.states, truth.best_path);
  }

  const auto expected = heed::hmm::expectation(chain, data);
  EXPECT_LE(largest_difference(expected.posteriors.values, truth.given.back()), tolerance);
  EXPECT_NEAR(expected.posteriors.log_evidence, truth.log_evidence, tolerance);
  EXPECT_NEAR(expected.transitions.stays, truth.pairs.trace(), tolerance);
  EXPECT_NEAR(expected.transitions.switches, truth.pairs.sum() - truth.pairs.trace(), tolerance);
  if (chain.as_sticky() == nullptr) {
    EXPECT_LE(largest_difference(expected.transitions.pairs, truth.pairs), tolerance);
  }
}

// 60 cases of each hardness, N = 1 or 2 ... 4 and T = 1 ... 8.
template <typename MakeCase>
void for_random_cases(std::uint64_t seed, Index fewest_states, MakeCase&& run) {
  for (std::uint64_t number = 0; number < 60 && !testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE("case " + std::to_string(number) + " of seed " + std::to_string(seed));
    RandomStream random(seed, number);
    const Index states = random.integer(fewest_states, 4);
    run(states, random.integer(1, 8), random);
  }
}

TEST(HmmExactness, GeneralChains) {
  for_random_cases(1, 1, [](Index states, Index windows, RandomStream& random) {
    const PlainChain plain = random_chain(states, {}, random);
    expect_equals_enumeration(to_chain(plain), plain, {random_log_likelihoods(windows, states, {}, random)});
  });
}

TEST(HmmExactness, ChainsWithZerosMissingWindowsAndImpossibleStates) {
  const Hardness hard{.zero = 0.35, .missing = 0.2, .impossible = 0.2};
  Index held = 0;
  for_random_cases(2, 2, [&](Index states, Index windows, RandomStream& random) {
    const PlainChain plain = random_chain(states, hard, random);
    const LogLikelihoods data{random_log_likelihoods(windows, states, hard, random)};
    expect_equals_enumeration(to_chain(plain), plain, data);
    held += heed::hmm::filter(to_chain(plain), data).held;
  });
  EXPECT_GT(held, 20);  // or the cases were not hard
}

TEST(HmmExactness, StickyChains) {
  const Hardness hard{.missing = 0.15, .impossible = 0.15};
  for_random_cases(3, 2, [&](Index states, Index windows, RandomStream& random) {
    const double p = (1 - random.uniform()) / static_cast<double>(states);
    PlainChain plain = plain_sticky_chain(states, p);
    plain.initial = random_distribution(states, 0.2, random);
    const Chain chain = Chain::sticky(states, p).with_initial(plain.initial);
    expect_equals_enumeration(chain, plain, {random_log_likelihoods(windows, states, hard, random)});
  });
}

// The scaled recursion is the paper's, on trials of the paper's length.
TEST(HmmExactness, EqualsThePapersAlgorithmInLogs) {
  for (const Index states : {2, 3, 5}) {
    RandomStream random(4, static_cast<std::uint64_t>(states));
    const auto compare = [](const Chain& chain, const PlainChain& plain, const LogLikelihoods& data) {
      const auto paper = paper_algorithm(plain, data.values);
      EXPECT_LE(largest_difference(heed::hmm::filter(chain, data).values, paper.causal), 1e-11);
      EXPECT_LE(largest_difference(heed::hmm::smooth(chain, data).values, paper.smooth), 1e-11);
      EXPECT_NEAR(heed::hmm::smooth(chain, data).log_evidence / paper.log_evidence, 1, 1e-13);
    };
    compare(Chain::sticky(states, 0.001), plain_sticky_chain(states, 0.001),
            {random_log_likelihoods(600, states, {.impossible = 0.01}, random)});
    const PlainChain general = random_chain(states, {.zero = 0.2}, random);
    compare(to_chain(general), general, {random_log_likelihoods(600, states, {}, random)});
  }
}

}  // namespace
