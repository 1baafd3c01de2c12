// SPDX-License-Identifier: MIT
// Filter, smoother, fixed lag, Viterbi and Baum-Welch beside plain enumeration in long double and the paper's algorithm
// in logarithms; random numbers and texts beside known ones. Prints what is wrong; without GoogleTest, whose packages
// are built for GCC's standard library.
#include <data/text.h>
#include <heed/core/attention_filter.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/sample.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "support/hmm_cases.h"
#include "support/hmm_oracle.h"

#ifndef _LIBCPP_VERSION
#error this program is for libc++
#endif

namespace heed::test {
namespace {

constexpr double tight = 1e-12;

class Checks {
 public:
  void holds(bool good, const std::string& what) {
    ++count_;
    if (good) return;
    ++failed_;
    (void)std::printf("%s\n", what.c_str());
  }
  void near(double found, double expected, double tolerance, const std::string& what) {
    holds(std::abs(found - expected) <= tolerance,
          what + ": " + std::to_string(found) + ", not " + std::to_string(expected));
  }
  void near(const Matrix& found, const Matrix& expected, const std::string& what) {
    holds(largest_difference(found, expected) <= tight, what);
  }
  [[nodiscard]] int status() const {
    (void)std::printf("%d checks, %d failed\n", count_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  int count_ = 0;
  int failed_ = 0;
};

Matrix causal_of(const Enumeration& truth) {
  Matrix causal(std::ssize(truth.given), truth.given.back().cols());
  for (Index t = 0; t < causal.rows(); ++t) causal.row(t) = truth.given[static_cast<std::size_t>(t)].row(t);
  return causal;
}

void check_engine(const hmm::Chain& chain, const PlainChain& plain, const Matrix& windows, Checks& checks) {
  const std::string name = std::to_string(chain.states()) + (chain.as_sticky() ? " sticky" : "") + " states, ";
  const Enumeration truth = enumerate_paths(plain, windows);
  const Posteriors causal = hmm::filter(chain, {windows});
  checks.near(causal.values, causal_of(truth), name + "filter");
  checks.near(causal.log_evidence, truth.log_evidence, tight, name + "evidence of the filter");
  checks.holds(causal.held == truth.held, name + "missing windows");
  const Posteriors smoothed = hmm::smooth(chain, {windows});
  checks.near(smoothed.values, truth.given.back(), name + "smoother");
  const Posteriors lagged = hmm::fixed_lag(chain, {windows}, Seconds{2});
  checks.near(lagged.values.row(1), truth.given[3].row(1), name + "fixed lag");
  const Path best = hmm::viterbi(chain, {windows});
  // Of paths that are as good as each other, as around a missing window, any will do.
  checks.holds(best.states == truth.best_path || truth.best - truth.runner_up < tight, name + "best path");
  checks.near(best.log_probability, truth.best, tight, name + "probability of the best path");
}

void check_small_chains(Checks& checks) {
  RandomStream random(1);
  for (const Index states : {2, 3}) {
    for (int k = 0; k < 20; ++k) {
      const Matrix windows = random_log_likelihoods(8, states, {.zero = 0, .missing = 0.1, .impossible = 0}, random);
      const PlainChain sticky = plain_sticky_chain(states, 0.01 + 0.3 * random.uniform());
      check_engine(hmm::Chain::sticky(states, sticky.transition(0, 1)), sticky, windows, checks);
      const PlainChain dense = random_chain(states, {}, random);
      check_engine(to_chain(dense), dense, windows, checks);
    }
  }
}

void check_many_states(Checks& checks) {
  constexpr Index states = 64;
  RandomStream random(2);
  const Matrix windows = random_log_likelihoods(200, states, {}, random);
  const PlainChain dense = random_chain(states, {}, random);
  for (const auto& [plain, chain] : {std::pair(plain_sticky_chain(states, 0.001), hmm::Chain::sticky(states, 0.001)),
                                     std::pair(dense, to_chain(dense))}) {
    const PaperPosteriors truth = paper_algorithm(plain, windows);
    checks.near(hmm::filter(chain, {windows}).values, truth.causal, "64 states, filter");
    checks.near(hmm::smooth(chain, {windows}).values, truth.smooth, "64 states, smoother");
  }
}

// A device's filter gives the bits of the one for files.
void check_device(Checks& checks) {
  RandomStream random(3);
  const Matrix windows = random_log_likelihoods(100, 3, {.zero = 0, .missing = 0.1, .impossible = 0.1}, random);
  const hmm::Chain chain = hmm::Chain::sticky(3, 0.01);
  const Posteriors causal = hmm::filter(chain, {windows});
  auto filter = core::AttentionFilter<double, 4>::make(*chain.as_sticky());
  checks.holds(filter.has_value(), "a filter of three speakers");
  bool same = filter.has_value();
  for (Index t = 0; same && t < windows.rows(); ++t) {
    filter->step(data::view(windows).row(t));
    for (Index j = 0; j < 3; ++j) same = same && filter->belief()[static_cast<std::size_t>(j)] == causal.values(t, j);
  }
  checks.holds(same, "the filter of a device has other bits");
}

// Labels give their counts; without them the fit ends where no p near it does better.
void check_fit(Checks& checks) {
  const hmm::TrainingSequence labelled{.log_likelihoods = {Matrix::Zero(9, 2)},
                                       .labels = {{0, 0, 0, 1, 1, 0, 0, 1, 1}}};
  const auto counted = hmm::baum_welch(hmm::Chain::make(Matrix::Constant(2, 2, 0.5)), {labelled});
  checks.near(counted.chain.transition(hmm::From{0}, hmm::To{1}), 2.0 / 5, 1e-15, "counts of a labelled sequence");
  checks.near(counted.chain.transition(hmm::From{1}, hmm::To{0}), 1.0 / 3, 1e-15, "counts of a labelled sequence");

  RandomStream random(4);
  const Path path = hmm::sample_prior(hmm::Chain::sticky(2, 0.05), 400, random);
  Matrix windows(400, 2);
  for (Index t = 0; t < windows.rows(); ++t) {
    for (Index j = 0; j < 2; ++j) {
      windows(t, j) = 2 * (random.normal() + (path.states[static_cast<std::size_t>(t)] == j ? 2 : 0));
    }
  }
  const auto fitted = hmm::baum_welch(hmm::Chain::sticky(2, 0.01), {{.log_likelihoods = {windows}}},
                                      {.relative_gain = 1e-14, .max_iterations = 5000});
  const double p = fitted.chain.as_sticky()->move();
  const auto evidence = [&](double move) { return hmm::filter(hmm::Chain::sticky(2, move), {windows}).log_evidence; };
  checks.near(fitted.history.back(), evidence(p), 1e-9, "evidence of the fit");
  checks.holds(evidence(p) > evidence(1.01 * p) && evidence(p) > evidence(p / 1.01), "the fit is not on a peak");
}

void check_data(Checks& checks) {
  // As tests/unit/data/random_test.cpp has it, from a program of its own.
  checks.holds(RandomStream(0).bits() == 0x84f09bf307c1073aU, "the first random number");
  checks.holds(data::shown(0.1) == "0.1" && data::shown(1e-7) == "1e-07" && data::shown(-12) == "-12",
               "numbers as text");
  bool refused = false;
  try {
    (void)hmm::Chain::sticky(2, 0.7);
  } catch (const Error& error) {
    refused = error.kind() == ErrorKind::invalid_argument;
  }
  checks.holds(refused, "a switch probability above one half");
}

}  // namespace
}  // namespace heed::test

int main() {
  heed::test::Checks checks;
  heed::test::check_small_chains(checks);
  heed::test::check_many_states(checks);
  heed::test::check_device(checks);
  heed::test::check_fit(checks);
  heed::test::check_data(checks);
  return checks.status();
}
