// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <live/session/window_tracker.h>

#include <limits>
#include <vector>

#include "support/allocation_counter.h"
#include "support/expect_error.h"

namespace heed::live {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Seconds window{1};

Model model_of(double temperature = 1) {
  return {
      .emission =
          GaussianEmission{.mu_attended = 0.2, .mu_unattended = 0.02, .sigma_attended = 0.15, .sigma_unattended = 0.15},
      .temperature = temperature};
}

Scores some_scores(Index speakers) {
  RandomStream random(3);
  Scores scores{Matrix(200, speakers), window};
  for (Index t = 0; t < 200; ++t) {
    for (Index j = 0; j < speakers; ++j) {
      scores.values(t, j) = std::clamp((j == t / 50 % speakers ? 0.2 : 0.02) + (0.15 * random.normal()), -1.0, 1.0);
    }
  }
  scores.values.row(17).setConstant(nan);
  return scores;
}

TEST(WindowTracker, IsTheOfflineFilterAndFixedLagBitForBit) {
  for (const Index speakers : {2, 3, 64}) {
    const Scores scores = some_scores(speakers);
    const auto evidence = emission::tempered(emission::log_likelihoods(model_of().emission, scores), 1.7);
    const double p = 0.004;
    const auto chain = hmm::Chain::sticky(speakers, p);
    const Posteriors causal = hmm::filter(chain, evidence);
    const Posteriors lagged = hmm::fixed_lag(chain, evidence, Seconds{5});
    WindowTracker tracker({.chain = {.switch_probability = p}, .model = model_of(1.7), .lag = {5}},
                          {speakers, window, window, StreamContent::scores, ScoreType::correlation});
    const test::AllocationCount allocations;
    for (Index t = 0; t < 200; ++t) {
      const auto result = tracker.step(data::view(scores.values).row(t));
      ASSERT_EQ(result.held, t == 17);
      for (Index j = 0; j < speakers; ++j)
        ASSERT_EQ(tracker.posterior()[static_cast<std::size_t>(j)], causal.values(t, j));
      if (t < 5) {
        ASSERT_TRUE(tracker.hindsight().empty());
        continue;
      }
      for (Index j = 0; j < speakers; ++j) {
        ASSERT_EQ(tracker.hindsight()[static_cast<std::size_t>(j)], lagged.values(t - 5, j)) << t;
      }
    }
    EXPECT_EQ(allocations.so_far(), 0U);
  }
}

TEST(WindowTracker, IsTheOfflineBankBitForBitOverTrials) {
  for (const Index speakers : {2, 3, 64}) {
    const Scores scores = some_scores(speakers);
    const auto evidence = emission::tempered(emission::log_likelihoods(model_of().emission, scores), 1.7);
    hmm::Bank bank = hmm::Bank::per_second(speakers, window);
    WindowTracker tracker({.chain = {.unknown_switch_probability = true}, .model = model_of(1.7), .lag = {5}},
                          {speakers, window, window, StreamContent::scores, ScoreType::correlation});
    EXPECT_FALSE(tracker.switch_probability());
    EXPECT_EQ(tracker.notes().size(), speakers == 64 ? 1U : 0U) << "values above 1/64 are left out, and that is said";
    for (int trial = 0; trial < 2; ++trial) {
      const auto causal = filter(bank, evidence);
      const auto lagged = fixed_lag(bank, evidence, Seconds{5});
      tracker.reset();
      const test::AllocationCount allocations;
      for (Index t = 0; t < 200; ++t) {
        (void)tracker.step(data::view(scores.values).row(t));
        for (Index j = 0; j < speakers; ++j) {
          const auto place = static_cast<std::size_t>(j);
          ASSERT_EQ(tracker.posterior()[place], causal.posteriors.values(t, j)) << t;
          if (t < 5) continue;
          ASSERT_EQ(tracker.hindsight()[place], lagged.posteriors.values(t - 5, j)) << t;
        }
      }
      EXPECT_EQ(allocations.so_far(), 0U);
      ASSERT_TRUE(tracker.switching());
      EXPECT_EQ(tracker.switching()->weights[2], causal.switching.weights(199, 2));
      bank = bank.with_weights(causal.switching.after);
    }
  }
}

TEST(WindowTracker, AnotherOneGoesOnFromWhatIsKnownOfTheListener) {
  const TrackingOptions unknown{.chain = {.unknown_switch_probability = true}, .model = model_of()};
  WindowTracker first(unknown, {2, window, window, StreamContent::scores, ScoreType::correlation});
  for (int k = 0; k < 50; ++k) (void)first.step(std::vector<double>{k % 2 == 0 ? 0.6 : 0, k % 2 == 0 ? 0 : 0.6});
  WindowTracker second(unknown, {2, window, window, StreamContent::scores, ScoreType::correlation});
  second.resume(first);
  EXPECT_EQ(second.switching()->weights, first.switching()->weights);
  EXPECT_EQ(second.posterior()[0], first.posterior()[0]);
  WindowTracker known({.model = model_of()}, {2, window, window, StreamContent::scores, ScoreType::correlation});
  known.resume(first);
  EXPECT_EQ(known.posterior()[0], first.posterior()[0]);
  EXPECT_FALSE(known.switching());
}

TEST(WindowTracker, FollowsDependentScoresBitForBit) {
  for (const double offset_sigma : {0.0, 0.1}) {
    const Scores scores = some_scores(2);
    Model model = model_of();
    model.dependence = Dependence{.autocorrelation = 0.7, .offset_sigma = offset_sigma};
    const double p = 0.004;
    const auto chain = hmm::Chain::sticky(2, p);
    const auto dependent = emission::dependent_model(model, 2);
    const Posteriors causal = emission::filter(chain, *dependent, scores);
    const Posteriors lagged = emission::fixed_lag(chain, *dependent, scores, Seconds{5});
    WindowTracker tracker({.chain = {.switch_probability = p}, .model = model, .lag = {5}},
                          {2, window, window, StreamContent::scores, ScoreType::correlation});
    const test::AllocationCount allocations;
    for (Index t = 0; t < 200; ++t) {
      const auto result = tracker.step(data::view(scores.values).row(t));
      ASSERT_EQ(result.held, t == 17);
      for (std::size_t j = 0; j < 2; ++j) {
        ASSERT_EQ(tracker.posterior()[j], causal.values(t, static_cast<Index>(j)));
        if (t >= 5) {
          ASSERT_EQ(tracker.hindsight()[j], lagged.values(t - 5, static_cast<Index>(j)));
        }
      }
    }
    EXPECT_EQ(allocations.so_far(), 0U);
    // A new trial has another offset, and no score before it.
    tracker.reset();
    tracker.step(data::view(scores.values).row(0));
    EXPECT_EQ(tracker.posterior()[0], causal.values(0, 0));
    // What is no score is missing.
    EXPECT_TRUE(tracker.step(std::vector{2.0, 0.1}).refused);
    WindowTracker next({.chain = {.switch_probability = p}, .model = model},
                       {2, window, window, StreamContent::scores, ScoreType::correlation});
    next.resume(tracker);
    EXPECT_EQ(next.posterior()[0], tracker.posterior()[0]);
    // With the same parameters nothing changes: the last score and the offset are remembered.
    for (Index t = 1; t < 30; ++t) {
      (void)tracker.step(data::view(scores.values).row(t));
      (void)next.step(data::view(scores.values).row(t));
      ASSERT_EQ(next.posterior()[0], tracker.posterior()[0]) << t;
    }
    // A tracker of another kind leaves its belief alone.
    WindowTracker plain({.chain = {.switch_probability = p}, .model = model_of()},
                        {2, window, window, StreamContent::scores, ScoreType::correlation});
    (void)plain.step(std::vector{0.4, 0.1});
    next.resume(plain);
    EXPECT_EQ(next.posterior()[0], plain.posterior()[0]);
  }
  Model model = model_of();
  model.dependence = Dependence{.autocorrelation = 0.7};
  test::expect_error(ErrorKind::unsupported, {"leave the adaptation out"}, [&] {
    WindowTracker({.model = model, .adaptation = emission::AdaptiveOptions{}},
                  {2, window, window, StreamContent::scores, ScoreType::correlation});
  });
}

TEST(WindowTracker, WithoutAModelItAdapts) {
  WindowTracker tracker({}, {2, window, window, StreamContent::scores, ScoreType::correlation});
  ASSERT_EQ(tracker.notes().size(), 1U);
  const Emission before = tracker.emission();
  const Scores scores = some_scores(2);
  for (Index t = 0; t < 200; ++t) (void)tracker.step(data::view(scores.values).row(t));
  EXPECT_NE(tracker.emission(), before);
}

TEST(WindowTracker, ScoresThatMakeNoSenseAreMissing) {
  WindowTracker tracker({.model = model_of()}, {2, window, window, StreamContent::scores, ScoreType::correlation});
  (void)tracker.step(std::vector<double>{0.9, 0.1});
  const std::vector<double> before(tracker.posterior().begin(), tracker.posterior().end());
  for (const double bad : {1.5, std::numeric_limits<double>::infinity()}) {
    const auto result = tracker.step(std::vector<double>{bad, 0.1});
    EXPECT_TRUE(result.held);
    EXPECT_TRUE(result.refused);
  }
  EXPECT_LT(std::abs(tracker.posterior()[0] - before[0]), 0.01);
}

TEST(WindowTracker, AnotherOneGoesOnFromItsBelief) {
  WindowTracker first({.model = model_of()}, {2, window, window, StreamContent::scores, ScoreType::correlation});
  for (int k = 0; k < 5; ++k) (void)first.step(std::vector<double>{0.6, 0});
  WindowTracker second({.chain = {.switch_probability = 0.1}, .model = model_of()},
                       {2, window, window, StreamContent::scores, ScoreType::correlation});
  second.resume(first);
  EXPECT_EQ(second.decision(), first.decision());
  (void)second.step(std::vector<double>{nan, nan});
  const double stayed = first.posterior()[0];
  EXPECT_NEAR(second.posterior()[0], (stayed * 0.9) + ((1 - stayed) * 0.1), 1e-12);
}

TEST(WindowTracker, RefusesWhatItCannotTrack) {
  test::expect_error(ErrorKind::unsupported, {"mixture"}, [] {
    const Model mixture{.emission = MixtureEmission{}};
    WindowTracker({.model = mixture}, {2, window, window, StreamContent::scores, ScoreType::correlation});
  });
  test::expect_error(ErrorKind::unsupported, {"Gaussian"}, [] {
    const Model softmax{.emission = SoftmaxEmission{}};
    WindowTracker({.model = softmax, .adaptation = emission::AdaptiveOptions{}},
                  {2, window, window, StreamContent::scores, ScoreType::correlation});
  });
}

}  // namespace
}  // namespace heed::live
