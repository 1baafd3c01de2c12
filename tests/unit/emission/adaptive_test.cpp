// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/core/attention_filter.h>
#include <heed/emission/adaptive.h>
#include <heed/emission/log_likelihoods.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/allocation_counter.h"
#include "support/emission_cases.h"
#include "support/expect_error.h"

namespace heed::emission {
namespace {

using test::expect_error;
using test::scored_participant;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr GaussianEmission start{false, Spread::shared, 0.5, -0.1, 0.8, 0.8, 0};

Matrix random_posteriors(Index windows, Index speakers, RandomStream& random) {
  Matrix result(windows, speakers);
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) result(t, j) = random.uniform() + 1e-3;
    result.row(t) /= result.row(t).sum();
  }
  return result;
}

// The M-step as the formulas have it, each window with a weight.
GaussianEmission batch(const Matrix& z, const Matrix& g, const Eigen::VectorXd& weight) {
  const double windows = weight.sum();
  const auto n = static_cast<double>(z.cols());
  const Matrix attended = weight.asDiagonal() * g;
  const Matrix unattended = weight.asDiagonal() * Matrix(1 - g.array());
  GaussianEmission e{.fisher = false};
  e.mu_attended = (attended.array() * z.array()).sum() / windows;
  e.mu_unattended = (unattended.array() * z.array()).sum() / (windows * (n - 1));
  const double squares = (attended.array() * (z.array() - e.mu_attended).square()).sum() +
                         (unattended.array() * (z.array() - e.mu_unattended).square()).sum();
  e.sigma_attended = e.sigma_unattended = std::sqrt(squares / (n * windows));
  return e;
}

AdaptiveGaussian run(AdaptiveGaussian adaptive, const Matrix& z, const Matrix& g) {
  for (Index t = 0; t < z.rows(); ++t) {
    EXPECT_EQ(adaptive.update(data::view(z).row(t), data::view(g).row(t)), core::Step::updated);
  }
  return adaptive;
}

void expect_same(const GaussianEmission& a, const GaussianEmission& b) {
  EXPECT_NEAR(a.mu_attended, b.mu_attended, 1e-11);
  EXPECT_NEAR(a.mu_unattended, b.mu_unattended, 1e-11);
  EXPECT_NEAR(a.sigma_attended, b.sigma_attended, 1e-11);
}

// Weighted so that the attended score is higher, as the guard wants it.
Matrix lifted(const Matrix& z, const Matrix& g) { return z + 3 * g; }

TEST(Adaptive, WithoutForgettingItIsTheBatchMStep) {
  RandomStream random(3);
  for (const Index speakers : {2, 3, 5}) {
    const Matrix g = random_posteriors(300, speakers, random);
    const Matrix z = lifted(test::clouds(300, {Eigen::VectorXd::Zero(speakers)}, 0.8, 4), g);
    const auto adaptive =
        run(AdaptiveGaussian::make(start, speakers, Seconds{1}, {.half_life = {infinity}, .prior_windows = 0}), z, g);
    expect_same(adaptive.emission(), batch(z, g, Eigen::VectorXd::Ones(300)));
    EXPECT_EQ(adaptive.windows(), 300);
    EXPECT_FALSE(adaptive.guarded());
  }
}

TEST(Adaptive, AWindowCountsHalfAfterAHalfLife) {
  RandomStream random(5);
  const Matrix g = random_posteriors(200, 2, random);
  const Matrix z = lifted(test::clouds(200, {Eigen::VectorXd::Zero(2)}, 0.8, 6), g);
  Eigen::VectorXd weight(200);
  for (Index t = 0; t < 200; ++t) weight(t) = std::exp2(-0.5 * static_cast<double>(199 - t) / 20);
  const auto adaptive =
      run(AdaptiveGaussian::make(start, 2, Seconds{0.5}, {.half_life = {20}, .prior_windows = 0}), z, g);
  expect_same(adaptive.emission(), batch(z, g, weight));
  EXPECT_NEAR(adaptive.windows(), weight.sum(), 1e-10);
}

TEST(Adaptive, TheStartCountsAsSoManyWindows) {
  auto adaptive = AdaptiveGaussian::make(start, 3, Seconds{1}, {.half_life = {infinity}, .prior_windows = 50});
  expect_same(adaptive.emission(), start);
  const std::array<double, 3> z{1.5, 0, -0.2};
  const std::array<double, 3> g{1, 0, 0};
  (void)adaptive.update(z, g);
  EXPECT_NEAR(adaptive.emission().mu_attended, (50 * 0.5 + 1.5) / 51, 1e-12);
  EXPECT_NEAR(adaptive.emission().mu_unattended, (100 * -0.1 - 0.2) / 102, 1e-12);
}

// Live: the filter uses the parameters, the parameters follow the filter's belief, nobody says who is attended.
TEST(Adaptive, FollowsADriftWithoutLabels) {
  const GaussianEmission wrong{false, Spread::shared, 0.2, -0.2, 1.2, 1.2, 0};
  auto adaptive = AdaptiveGaussian::make(wrong, 2, Seconds{1}, {.half_life = {2000}});
  auto filter = *core::AttentionFilter<double, 2>::make(*core::StickyChain<double>::make(2, 0.005));
  const ScoredParticipant truth = scored_participant({.windows = 12000, .block = 200, .mu_attended = 0.9, .seed = 9});
  std::array<double, 2> log_b{};
  for (Index t = 0; t < 12000; ++t) {
    const auto scores = data::view(truth.trials[0].scores.values).row(t);
    log_likelihoods_into(adaptive.emission(), {scores.data(), 1, 2, 2}, {log_b.data(), 1, 2, 2});
    (void)filter.step(log_b);
    (void)adaptive.update(scores, filter.belief());
  }
  EXPECT_NEAR(adaptive.emission().mu_attended, 0.9, 0.1);
  EXPECT_NEAR(adaptive.emission().mu_unattended, -0.1, 0.1);
  EXPECT_NEAR(adaptive.emission().sigma_attended, 0.8, 0.05);
}

TEST(Adaptive, RolesAreNeverExchanged) {
  auto adaptive = AdaptiveGaussian::make(start, 2, Seconds{1}, {.half_life = {20}, .prior_windows = 5});
  const std::array<double, 2> low{-2, 2};
  const std::array<double, 2> sure{1, 0};  // of the speaker with the lower score
  for (int k = 0; k < 200; ++k) {
    EXPECT_EQ(adaptive.update(low, sure), core::Step::updated);
    EXPECT_GT(adaptive.emission().mu_attended, adaptive.emission().mu_unattended);
  }
  EXPECT_TRUE(adaptive.guarded());
  const GaussianEmission last_good = adaptive.emission();
  // Once the belief is right again, so are the sums.
  RandomStream random(2);
  for (int k = 0; k < 200; ++k) {
    const std::array<double, 2> high{2 + random.normal(), -2 + random.normal()};
    (void)adaptive.update(high, sure);
  }
  EXPECT_FALSE(adaptive.guarded());
  EXPECT_GT(adaptive.emission().mu_attended, last_good.mu_attended);
}

TEST(Adaptive, ScoresThatStandStillChangeNothing) {
  auto adaptive = AdaptiveGaussian::make(start, 2, Seconds{1}, {.half_life = {1}, .prior_windows = 1});
  const std::array<double, 2> still{0.25, 0.25};
  const std::array<double, 2> half{0.5, 0.5};
  for (int k = 0; k < 5000; ++k) (void)adaptive.update(still, half);
  EXPECT_TRUE(adaptive.guarded());
  EXPECT_GT(adaptive.emission().sigma_attended, 0);
}

TEST(Adaptive, HoldsWhatIsBrokenAndForgetsNothingThen) {
  auto adaptive = AdaptiveGaussian::make({true, Spread::shared, 0.12, 0.04, 0.3, 0.3, 0}, 2, Seconds{1});
  const double windows = adaptive.windows();
  const GaussianEmission before = adaptive.emission();
  using Pair = std::array<double, 2>;
  const auto held = [&](Pair scores, Pair posterior) {
    EXPECT_EQ(adaptive.update(scores, posterior), core::Step::held);
  };
  held({nan, 0.1}, {0.5, 0.5});
  held({1.2, 0.1}, {0.5, 0.5});
  held({infinity, 0.1}, {0.5, 0.5});
  held({0.2, 0.1}, {0.5, 0.6});
  held({0.2, 0.1}, {-0.5, 1.5});
  held({0.2, 0.1}, {nan, 0.5});
  const std::array<double, 3> three{0.1, 0.2, 0.3};
  EXPECT_EQ(adaptive.update(three, three), core::Step::wrong_size);
  EXPECT_EQ(adaptive.windows(), windows);
  EXPECT_EQ(adaptive.emission().mu_attended, before.mu_attended);
  EXPECT_EQ(adaptive.update(Pair{1, -1}, Pair{1, 0}), core::Step::updated) << "a perfect correlation is one";
}

TEST(Adaptive, AWindowAllocatesNothing) {
  auto adaptive = AdaptiveGaussian::make(start, 2, Seconds{1});
  const std::array<double, 2> z{0.3, 0.1};
  const std::array<double, 2> g{0.7, 0.3};
  const std::array<double, 2> bad{nan, 0.1};
  const test::AllocationCount allocations;
  for (int k = 0; k < 100; ++k) {
    (void)adaptive.update(z, g);
    (void)adaptive.update(bad, g);
  }
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(Adaptive, RefusesWhatMakesNoSense) {
  const auto make = [](const GaussianEmission& e, const AdaptiveOptions& options, Seconds window = {1}) {
    return [=] { (void)AdaptiveGaussian::make(e, 2, window, options); };
  };
  GaussianEmission turned = start;
  std::swap(turned.mu_attended, turned.mu_unattended);
  expect_error(ErrorKind::invalid_argument, {"above mu_unattended"}, make(turned, {}));
  GaussianEmission separate = start;
  separate.spread = Spread::separate;
  expect_error(ErrorKind::unsupported, {"shared spread"}, make(separate, {}));
  expect_error(ErrorKind::invalid_argument, {"half-life"}, make(start, {.half_life = {0}}));
  expect_error(ErrorKind::invalid_argument, {"half-life"}, make(start, {.half_life = {nan}}));
  expect_error(ErrorKind::invalid_argument, {"window"}, make(start, {}, {0}));
  expect_error(ErrorKind::invalid_argument, {"0 windows"}, make(start, {.prior_windows = -1}));
  expect_error(ErrorKind::invalid_argument, {"least separation"}, make(start, {.least_separation = 2}));
}

// Window by window as a device would do it: judged by what was there before, then learnt from.
TEST(AdaptedLogLikelihoods, AreThoseOfTheParametersBeforeEachWindow) {
  auto trials = scored_participant({.windows = 80, .speakers = 3, .trials = 2, .block = 20, .seed = 9}).trials;
  trials[0].scores.values(7, 1) = nan;
  const hmm::Chain chain = hmm::Chain::sticky(3, 0.02);
  const AdaptiveOptions options{.half_life = {40}, .prior_windows = 10};
  const auto adapted = adapted_log_likelihoods(start, chain, trials, options, 2);
  AdaptiveGaussian adaptive = AdaptiveGaussian::make(start, 3, Seconds{1}, options);
  for (std::size_t k = 0; k < 2; ++k) {
    auto filter = *core::AttentionFilter<double, 3>::make(*core::StickyChain<double>::make(3, 0.02));
    for (Index t = 0; t < 80; ++t) {
      const Scores window{trials[k].scores.values.middleRows(t, 1)};
      const LogLikelihoods expected = tempered(log_likelihoods(adaptive.emission(), window), 2);
      const Matrix found = adapted.log_likelihoods[k].values.middleRows(t, 1);
      if (k == 0 && t == 7) {
        EXPECT_TRUE(found.array().isNaN().all());
      } else {
        EXPECT_LT((found - expected.values).cwiseAbs().maxCoeff(), 1e-12);
      }
      filter.step(data::view(expected.values).row(0));
      adaptive.update(data::view(trials[k].scores.values).row(t), filter.belief());
    }
  }
  expect_same(adapted.emission, adaptive.emission());
}

TEST(AdaptedLogLikelihoods, DoNotKnowTheFutureOrTheLabels) {
  auto trials = scored_participant({.windows = 200, .trials = 2, .seed = 10}).trials;
  const hmm::Chain chain = hmm::Chain::sticky(2, 0.02);
  const auto whole = adapted_log_likelihoods(start, chain, trials);
  for (ScoredTrial& trial : trials) trial.attention.attended.assign(200, unknown_speaker);
  trials[1].scores.values.bottomRows(100).setConstant(7);
  const auto changed = adapted_log_likelihoods(start, chain, trials);
  EXPECT_EQ(whole.log_likelihoods[0].values, changed.log_likelihoods[0].values);
  EXPECT_EQ(whole.log_likelihoods[1].values.topRows(100), changed.log_likelihoods[1].values.topRows(100));
  EXPECT_NE(whole.log_likelihoods[1].values.row(150), changed.log_likelihoods[1].values.row(150));
}

// Scores made from one difference: the correlation stays, the rest is followed.
TEST(AdaptedLogLikelihoods, KeepTheCorrelationOfAnExchangeableStart) {
  auto trials = scored_participant({.windows = 2000, .mu_attended = 0.4, .mu_unattended = -0.4, .seed = 11}).trials;
  trials[0].scores.values.col(1) = -trials[0].scores.values.col(0);
  GaussianEmission from = start;
  from.spread = Spread::exchangeable;
  from.correlation = -1;
  const auto adapted = adapted_log_likelihoods(from, hmm::Chain::sticky(2, 0.01), trials);
  EXPECT_EQ(adapted.emission.correlation, -1);
  EXPECT_EQ(adapted.emission.spread, Spread::exchangeable);
  EXPECT_NEAR(adapted.emission.mu_unattended, -adapted.emission.mu_attended, 0.1);
}

}  // namespace
}  // namespace heed::emission
