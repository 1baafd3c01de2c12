// SPDX-License-Identifier: MIT
#include <heed/hmm/sample.h>
#include <heed/hmm/smooth.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Speaker;
using heed::hmm::Chain;
using heed::hmm::PosteriorSampler;
using namespace heed::test;

// Five standard errors of a frequency p out of n draws: fails by chance once in two million.
double five_errors(double p, double draws) { return 5 * std::sqrt(p * (1 - p) / draws); }

TEST(SamplePrior, FollowsTheChain) {
  RandomStream random(71);
  const PlainChain plain = random_chain(3, {}, random);
  const Chain chain = to_chain(plain);
  std::array<double, 3> first{};
  constexpr int starts = 20000;
  for (int k = 0; k < starts; ++k)
    ++first[static_cast<std::size_t>(heed::hmm::sample_prior(chain, 1, random).states[0])];
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(first[j] / starts, plain.initial[j], five_errors(plain.initial[j], starts));
  }
  const auto path = heed::hmm::sample_prior(chain, 100000, random).states;
  Matrix pairs = Matrix::Zero(3, 3);
  for (std::size_t t = 1; t < path.size(); ++t) ++pairs(path[t - 1], path[t]);
  for (Index i = 0; i < 3; ++i) {
    const double left = pairs.row(i).sum();
    for (Index j = 0; j < 3; ++j) {
      const double p = plain.transition(i, j);
      EXPECT_NEAR(pairs(i, j) / left, p, five_errors(p, left)) << i << " to " << j;
    }
  }
}

TEST(SamplePrior, TellsTheProbabilityOfItsPath) {
  RandomStream random(72);
  const Chain chain = Chain::sticky(2, 0.3).with_initial(std::array{0.8, 0.2});
  const auto path = heed::hmm::sample_prior(chain, 6, random);
  double expected = path.states[0] == 0 ? 0.8 : 0.2;
  for (std::size_t t = 1; t < 6; ++t) expected *= path.states[t] == path.states[t - 1] ? 0.7 : 0.3;
  EXPECT_NEAR(path.log_probability, std::log(expected), 1e-14);
}

TEST(SamplePrior, NeverTakesAForbiddenStep) {
  RandomStream random(73);
  const Chain cycle = Chain::make((Matrix(3, 3) << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished());
  const auto path = heed::hmm::sample_prior(cycle.with_initial(std::array{0.0, 1.0, 0.0}), 1000, random).states;
  for (std::size_t t = 0; t < path.size(); ++t) ASSERT_EQ(path[t], static_cast<Speaker>((t + 1) % 3));
}

TEST(SamplePrior, RefusesANegativeLength) {
  RandomStream random(74);
  expect_error(ErrorKind::invalid_argument, {"-1 windows"},
               [&] { heed::hmm::sample_prior(Chain::sticky(2, 0.1), -1, random); });
  EXPECT_TRUE(heed::hmm::sample_prior(Chain::sticky(2, 0.1), 0, random).states.empty());
}

// Every path is drawn as often as it is probable, and says its joint probability with the data.
TEST(PosteriorSampler, DrawsPathsByTheirProbability) {
  RandomStream random(75);
  const PlainChain plain = random_chain(2, {}, random);
  Matrix values = random_log_likelihoods(4, 2, {}, random) / 2;
  values(1, 0) = std::numeric_limits<double>::quiet_NaN();
  const PosteriorSampler sampler(to_chain(plain), {values});
  const auto truth = enumerate_paths(plain, values);
  std::map<std::vector<Speaker>, double> drawn;
  std::map<std::vector<Speaker>, double> log_probability;
  constexpr int draws = 40000;
  for (int k = 0; k < draws; ++k) {
    const auto path = sampler.draw(random);
    ++drawn[path.states];
    log_probability[path.states] = path.log_probability;
    EXPECT_EQ(path.held, 1);
  }
  double total = 0;
  for (const auto& [path, times] : drawn) {
    const double p = std::exp(log_probability[path] - truth.log_evidence);
    EXPECT_NEAR(times / draws, p, five_errors(p, draws));
    total += p;
  }
  EXPECT_NEAR(total, 1, 1e-3);
  EXPECT_NEAR(log_probability[truth.best_path], truth.best, 1e-12);
}

TEST(PosteriorSampler, FrequenciesAreTheSmoothersOnHardChains) {
  const Hardness hard{.zero = 0.3, .missing = 0.1, .impossible = 0.1};
  RandomStream random(76);
  const Chain chain = to_chain(random_chain(3, hard, random));
  const LogLikelihoods data{random_log_likelihoods(20, 3, hard, random)};
  const auto smoothed = heed::hmm::smooth(chain, data);
  const PosteriorSampler sampler(chain, data);
  Matrix seen = Matrix::Zero(20, 3);
  constexpr int draws = 20000;
  for (int k = 0; k < draws; ++k) {
    const auto path = sampler.draw(random);
    ASSERT_TRUE(std::isfinite(path.log_probability));
    for (Index t = 0; t < 20; ++t) ++seen(t, path.states[static_cast<std::size_t>(t)]);
  }
  for (Index t = 0; t < 20; ++t) {
    for (Index j = 0; j < 3; ++j) {
      const double p = smoothed.values(t, j);
      EXPECT_NEAR(seen(t, j) / draws, p, five_errors(p, draws) + 1e-12) << "window " << t;
    }
  }
}

TEST(PosteriorSampler, NoWindowsGiveNothingAndAWrongWidthIsRefused) {
  RandomStream random(77);
  const Chain chain = Chain::sticky(2, 0.1);
  EXPECT_TRUE(PosteriorSampler(chain, {}).draw(random).states.empty());
  expect_error(ErrorKind::invalid_argument, {"3 columns"}, [&] { PosteriorSampler(chain, {Matrix::Zero(2, 3)}); });
}

}  // namespace
