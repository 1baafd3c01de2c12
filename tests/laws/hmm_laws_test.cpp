// SPDX-License-Identifier: MIT
// What must hold of any HMM engine, on random chains and data: laws, not examples.
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/sample.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include "support/hmm_cases.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::Posteriors;
using heed::RandomStream;
using heed::Seconds;
using heed::hmm::Chain;
using namespace heed::test;

constexpr double tolerance = 1e-12;

// Everything a law needs, from one drawn seed: RapidCheck varies shape and seed, the stream fills the numbers.
struct Case {
  RandomStream random;
  PlainChain plain;
  Chain chain;
  LogLikelihoods data;
};

Case draw_case(const Hardness& hardness) {
  const auto states = *rc::gen::inRange<Index>(2, 6);
  const auto windows = *rc::gen::inRange<Index>(1, 40);
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
  const bool sticky = *rc::gen::arbitrary<bool>();
  const double p = (1 - random.uniform()) / static_cast<double>(states);
  PlainChain plain = sticky ? plain_sticky_chain(states, p) : random_chain(states, hardness, random);
  if (sticky) plain.initial = random_distribution(states, hardness.zero, random);
  Chain chain = sticky ? Chain::sticky(states, p).with_initial(plain.initial) : to_chain(plain);
  LogLikelihoods data{random_log_likelihoods(windows, states, hardness, random)};
  return {random, std::move(plain), std::move(chain), std::move(data)};
}

constexpr Hardness hard{.zero = 0.2, .missing = 0.1, .impossible = 0.1};

Posteriors lagged(const Chain& chain, const LogLikelihoods& data, Index lag) {
  return heed::hmm::fixed_lag(chain, data, Seconds{static_cast<double>(lag)});
}

using Method = std::function<Posteriors(const Chain&, const LogLikelihoods&)>;

std::vector<Method> posterior_methods() {
  return {[](const Chain& chain, const LogLikelihoods& data) { return heed::hmm::filter(chain, data); },
          [](const Chain& chain, const LogLikelihoods& data) { return heed::hmm::smooth(chain, data); },
          [](const Chain& chain, const LogLikelihoods& data) { return lagged(chain, data, 3); }};
}

RC_GTEST_PROP(HmmLaws, RowsAreDistributions, ()) {
  const Case c = draw_case(hard);
  for (const Method& method : posterior_methods()) {
    const Matrix rows = method(c.chain, c.data).values;
    RC_ASSERT((rows.array() >= 0).all());
    RC_ASSERT(((rows.rowwise().sum().array() - 1).abs() < tolerance).all());
  }
}

// What comes after window t changes nothing at t: filter, and fixed lag L windows earlier, bit for bit.
RC_GTEST_PROP(HmmLaws, Causality, ()) {
  Case c = draw_case(hard);
  const Index windows = c.data.values.rows();
  const Index seen = *rc::gen::inRange<Index>(0, windows + 1);
  const Index lag = *rc::gen::inRange<Index>(0, 5);
  LogLikelihoods other = c.data;
  other.values.bottomRows(windows - seen) = random_log_likelihoods(windows - seen, c.chain.states(), hard, c.random);
  const Matrix filtered = heed::hmm::filter(c.chain, c.data).values;
  RC_ASSERT(largest_difference(filtered.topRows(seen), heed::hmm::filter(c.chain, other).values.topRows(seen)) == 0);
  const Index settled = std::max<Index>(seen - lag, 0);
  RC_ASSERT(largest_difference(lagged(c.chain, c.data, lag).values.topRows(settled),
                               lagged(c.chain, other, lag).values.topRows(settled)) == 0);
}

RC_GTEST_PROP(HmmLaws, SpeakersHaveNoOrder, ()) {
  Case c = draw_case(hard);
  const Index states = c.chain.states();
  std::vector<Index> order(static_cast<std::size_t>(states));
  std::iota(order.begin(), order.end(), 0);
  for (Index j = states - 1; j > 0; --j)
    std::swap(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(c.random.integer(0, j))]);
  PlainChain turned = c.plain;
  LogLikelihoods data = c.data;
  for (Index j = 0; j < states; ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    data.values.col(j) = c.data.values.col(from);
    turned.initial[static_cast<std::size_t>(j)] = c.plain.initial[static_cast<std::size_t>(from)];
    for (Index k = 0; k < states; ++k) {
      turned.transition(j, k) = c.plain.transition(from, order[static_cast<std::size_t>(k)]);
    }
  }
  const Chain chain = to_chain(turned);
  for (const Method& method : posterior_methods()) {
    const auto before = method(c.chain, c.data);
    const auto after = method(chain, data);
    for (Index j = 0; j < states; ++j) {
      const Index from = order[static_cast<std::size_t>(j)];
      RC_ASSERT(largest_difference(after.values.col(j), before.values.col(from)) < tolerance);
    }
    RC_ASSERT(std::abs(after.log_evidence - before.log_evidence) < 1e-11);
  }
  RC_ASSERT(std::abs(heed::hmm::viterbi(chain, data).log_probability -
                     heed::hmm::viterbi(c.chain, c.data).log_probability) < 1e-11);
}

// Eighths add without rounding, so not a bit may change.
RC_GTEST_PROP(HmmLaws, AConstantAddedToAWindowOnlyMovesTheEvidence, ()) {
  Case c = draw_case(hard);
  c.data.values = (8 * c.data.values.array()).round() / 8;
  LogLikelihoods lifted = c.data;
  double added = 0;
  for (Index t = 0; t < lifted.values.rows(); ++t) {
    const double constant = static_cast<double>(c.random.integer(-8000, 8000)) / 8;
    lifted.values.row(t).array() += constant;
    const bool held = heed::hmm::filter(c.chain, {Matrix(c.data.values.topRows(t + 1))}).held >
                      heed::hmm::filter(c.chain, {Matrix(c.data.values.topRows(t))}).held;
    if (!held) added += constant;
  }
  for (const Method& method : posterior_methods()) {
    const auto before = method(c.chain, c.data);
    const auto after = method(c.chain, lifted);
    RC_ASSERT(largest_difference(before.values, after.values) == 0);
    RC_ASSERT(std::abs(after.log_evidence - before.log_evidence - added) < 1e-9);
  }
  RC_ASSERT(heed::hmm::viterbi(c.chain, c.data).states == heed::hmm::viterbi(c.chain, lifted).states);
}

// No memory: every window speaks for itself.
RC_GTEST_PROP(HmmLaws, SwitchProbabilityOneOverNGivesTheSoftmax, ()) {
  Case c = draw_case({.impossible = 0.1});
  const Index states = c.chain.states();
  const Chain chain = Chain::sticky(states, 1 / static_cast<double>(states));
  for (const Method& method : posterior_methods()) {
    const auto posteriors = method(chain, c.data);
    for (Index t = 0; t < c.data.values.rows(); ++t) {
      const auto row = c.data.values.row(t).array();
      if (row.maxCoeff() == -std::numeric_limits<double>::infinity()) continue;
      const Matrix softmax = (row - row.maxCoeff()).exp() / (row - row.maxCoeff()).exp().sum();
      RC_ASSERT(largest_difference(posteriors.values.row(t), softmax) < tolerance);
    }
  }
}

// To 1e-12, not to the bit: the smoother may run through kernels of its own.
RC_GTEST_PROP(HmmLaws, FilterAndSmootherAgreeAtTheEnd, ()) {
  const Case c = draw_case(hard);
  const auto filtered = heed::hmm::filter(c.chain, c.data);
  const auto smoothed = heed::hmm::smooth(c.chain, c.data);
  RC_ASSERT(largest_difference(filtered.values.bottomRows(1), smoothed.values.bottomRows(1)) < tolerance);
  RC_ASSERT(std::abs(filtered.log_evidence - smoothed.log_evidence) < 1e-11);
  RC_ASSERT(filtered.held == smoothed.held);
}

RC_GTEST_PROP(HmmLaws, FixedLagRunsFromFilterToSmoother, ()) {
  const Case c = draw_case(hard);
  const Index windows = c.data.values.rows();
  RC_ASSERT(largest_difference(lagged(c.chain, c.data, 0).values, heed::hmm::filter(c.chain, c.data).values) == 0);
  const Matrix smoothed = heed::hmm::smooth(c.chain, c.data).values;
  RC_ASSERT(largest_difference(lagged(c.chain, c.data, windows).values, smoothed) < tolerance);
  RC_ASSERT(largest_difference(lagged(c.chain, c.data, windows + 100).values, smoothed) < tolerance);
}

// On a sticky chain the far future is forgotten by a factor of (1 - Np) a window at least.
RC_GTEST_PROP(HmmLaws, FixedLagApproachesTheSmoother, ()) {
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
  const double p = 0.05 + (0.4 * random.uniform());
  const Chain chain = Chain::sticky(2, p);
  const LogLikelihoods data{random_log_likelihoods(120, 2, {}, random)};
  const Matrix smoothed = heed::hmm::smooth(chain, data).values;
  for (const Index lag : {1, 4, 16, 64}) {
    const double bound = std::pow(1 - (2 * p), static_cast<double>(lag)) + tolerance;
    RC_ASSERT(largest_difference(lagged(chain, data, lag).values, smoothed) <= bound);
  }
}

RC_GTEST_PROP(HmmLaws, ViterbiBeatsAThousandSampledPaths, ()) {
  Case c = draw_case(hard);
  const auto best = heed::hmm::viterbi(c.chain, c.data);
  const heed::hmm::PosteriorSampler sampler(c.chain, c.data);
  for (int k = 0; k < 1000; ++k) {
    RC_ASSERT(sampler.draw(c.random).log_probability <= best.log_probability + 1e-10);
  }
  RC_ASSERT(best.log_probability <= heed::hmm::filter(c.chain, c.data).log_evidence + 1e-10);
}

// Checked against the evidence of the chain it gives, not only its own record.
RC_GTEST_PROP(HmmLaws, BaumWelchNeverGoesDown, ()) {
  Case c = draw_case({.missing = 0.1, .impossible = 0.05});
  std::vector<heed::hmm::TrainingSequence> sequences{{c.data, {}}};
  sequences.push_back({{random_log_likelihoods(25, c.chain.states(), {}, c.random)}, {}});
  Chain chain = c.chain;
  double before = -std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 12; ++iteration) {
    double evidence = 0;
    for (const auto& sequence : sequences) evidence += heed::hmm::filter(chain, sequence.log_likelihoods).log_evidence;
    RC_ASSERT(evidence >= before - 1e-10);
    before = evidence;
    const auto step =
        heed::hmm::baum_welch(chain, sequences, {.estimate_initial = true, .relative_gain = 0, .max_iterations = 1});
    RC_ASSERT(std::ranges::is_sorted(step.history));
    chain = step.chain;
  }
}

// The chain of a stationary process seen backwards: B_ij = pi_j A_ji / pi_i. Smoothing does not care which way
// time runs; a sticky chain that starts uniform is its own reverse.
RC_GTEST_PROP(HmmLaws, ReversedTime, ()) {
  Case c = draw_case({.missing = 0.1, .impossible = 0.1});
  const Index states = c.chain.states();
  const bool sticky = c.chain.as_sticky() != nullptr;
  Eigen::RowVectorXd stationary = Eigen::RowVectorXd::Constant(states, 1 / static_cast<double>(states));
  for (int k = 0; k < 2000 && !sticky; ++k) {
    stationary *= c.plain.transition;
    stationary /= stationary.sum();
  }
  Matrix reversed(states, states);
  for (Index i = 0; i < states; ++i) {
    for (Index j = 0; j < states; ++j) reversed(i, j) = stationary(j) * c.plain.transition(j, i) / stationary(i);
  }
  const std::vector<double> initial(stationary.begin(), stationary.end());
  const Chain forwards = c.chain.with_initial(initial);
  const Chain backwards = sticky ? forwards : Chain::make(reversed).with_initial(initial);
  const LogLikelihoods data{c.data.values.colwise().reverse()};
  const auto there = heed::hmm::smooth(forwards, c.data);
  const auto back = heed::hmm::smooth(backwards, data);
  RC_ASSERT(there.held == back.held);
  RC_ASSERT(largest_difference(there.values.colwise().reverse(), back.values) < 1e-11);
  RC_ASSERT(std::abs(there.log_evidence - back.log_evidence) < 1e-10);
}

RC_GTEST_PROP(HmmLaws, AMissingWindowIsAFlatWindow, ()) {
  const Case c = draw_case(hard);
  const Index gap = *rc::gen::inRange<Index>(0, c.data.values.rows());
  LogLikelihoods missing = c.data;
  LogLikelihoods flat = c.data;
  missing.values(gap, *rc::gen::inRange<Index>(0, c.chain.states())) = std::numeric_limits<double>::quiet_NaN();
  flat.values.row(gap).setZero();
  for (const Method& method : posterior_methods()) {
    const auto a = method(c.chain, missing);
    const auto b = method(c.chain, flat);
    RC_ASSERT(a.held == b.held + 1);
    RC_ASSERT(largest_difference(a.values, b.values) < tolerance);
    RC_ASSERT(std::abs(a.log_evidence - b.log_evidence) < tolerance);
  }
  RC_ASSERT(heed::hmm::viterbi(c.chain, missing).states == heed::hmm::viterbi(c.chain, flat).states);
}

}  // namespace
