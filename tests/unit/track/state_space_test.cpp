// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/track/rivals.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "support/allocation_counter.h"
#include "unit/track/state_space_golden.h"

namespace heed::track {
namespace {

constexpr double tolerance = 1e-12;

Scores golden_scores(Seconds window) {
  Scores scores{Matrix(std::ssize(golden::scores) / 2, 2), window};
  std::ranges::copy(golden::scores, scores.values.data());
  return scores;
}

Tracked run(const Scores& scores, const StateSpaceOptions& options = {}) {
  return StateSpaceTracker{options}.track({scores, LogLikelihoods{}});
}

void expect_golden(const Tracked& tracked, std::span<const double> golden) {
  ASSERT_EQ(tracked.posteriors.values.rows(), std::ssize(golden));
  for (std::size_t t = 0; t < golden.size(); ++t) {
    const auto row = tracked.posteriors.values.row(static_cast<Index>(t));
    EXPECT_NEAR(row(0), golden[t], tolerance) << "window " << t;
    EXPECT_EQ(row(1), 1 - row(0));
  }
}

TEST(StateSpace, EqualsAnIndependentProgram) {
  expect_golden(run(golden_scores(Seconds{1})), golden::one_second);
  expect_golden(run(golden_scores(Seconds{0.5})), golden::half_second);
}

TEST(StateSpace, EqualsItAsThePublishedDemoDoesIt) {
  expect_golden(run(golden_scores(Seconds{1}), {.compatible = true}), golden::compatible);
  double largest = 0;
  for (std::size_t t = 0; t < golden::compatible.size(); ++t) {
    largest = std::max(largest, std::abs(golden::compatible[t] - golden::one_second[t]));
  }
  EXPECT_GT(largest, 1e-4) << "the switch changes nothing, so nothing was tested";
}

TEST(StateSpace, PassesOverMissingWindows) {
  Scores scores = golden_scores(Seconds{1});
  for (const int t : golden::missing) scores.values(t, t % 2) = NAN;
  const Tracked tracked = run(scores);
  expect_golden(tracked, golden::with_missing);
  EXPECT_EQ(tracked.posteriors.held, std::ssize(golden::missing));
}

TEST(StateSpace, KnowsNothingWhereEverythingIsMissing) {
  const Tracked tracked = run({Matrix::Constant(40, 2, NAN), Seconds{1}});
  for (const double p : tracked.posteriors.values.reshaped()) EXPECT_EQ(p, 0.5);
}

TEST(StateSpace, WaitsUntilItsStretchIsFull) {
  const Tracked tracked = run(golden_scores(Seconds{1}));
  for (Index t = 0; t < 14; ++t) EXPECT_EQ(tracked.posteriors.values(t, 0), 0.5);
  EXPECT_NE(tracked.posteriors.values(14, 0), 0.5);
  EXPECT_EQ(StateSpaceFilter::make(Seconds{1}).size(), 15U);
  EXPECT_EQ(StateSpaceFilter::make(Seconds{0.5}).size(), 31U);
  EXPECT_EQ(StateSpaceFilter::make(Seconds{0.1}).size(), 151U)
      << "1.5 s are 15 windows of .1 s, whatever rounding says";
  EXPECT_EQ(StateSpaceFilter::make(Seconds{10}).size(), 2U);
}

TEST(StateSpace, FindsASpeakerWhoStandsOut) {
  Scores scores{Matrix(60, 2), Seconds{1}};
  scores.values.topRows(30).rowwise() = Eigen::RowVector2d(.5, .02);
  scores.values.bottomRows(30).rowwise() = Eigen::RowVector2d(.02, .5);
  const Tracked tracked = run(scores);
  EXPECT_GT(tracked.posteriors.values(29, 0), 0.8);
  EXPECT_LT(tracked.posteriors.values(50, 0), 0.2);
  EXPECT_EQ(tracked.decisions.states.back(), 1);
}

TEST(StateSpace, TakesUpToEightTrialsSideBySide) {
  EXPECT_THROW((void)StateSpaceFilter::make(Seconds{1}, {}, 0), Error);
  EXPECT_THROW((void)StateSpaceFilter::make(Seconds{1}, {}, 9), Error);
  EXPECT_TRUE(StateSpaceTracker{}.track(std::span<const Evidence>{}).empty());
}

TEST(StateSpace, AllocatesNothingWhileItRuns) {
  auto model = StateSpaceFilter::make(Seconds{1});
  const test::AllocationCount allocations;
  double sum = 0;
  for (std::size_t t = 0; t < 100; ++t) {
    sum += model.step(golden::scores[2 * (t % 60)], t % 7 == 0 ? NAN : golden::scores[(2 * (t % 60)) + 1]);
  }
  EXPECT_EQ(allocations.so_far(), 0U);
  EXPECT_TRUE(std::isfinite(sum));
}

void expect_refused(const Scores& scores, ErrorKind kind, const std::string& part) {
  try {
    (void)run(scores);
    FAIL() << "took what it cannot: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(StateSpace, RefusesWhatItWasNotMadeFor) {
  expect_refused({Matrix::Zero(20, 3), Seconds{1}}, ErrorKind::unsupported, "for two speakers, not 3");
  expect_refused({Matrix::Zero(20, 1), Seconds{1}}, ErrorKind::unsupported, "for two speakers, not 1");
  expect_refused({Matrix::Zero(20, 2), Seconds{20}}, ErrorKind::invalid_argument, "too long");
  expect_refused({Matrix::Constant(20, 2, -1.5), Seconds{1}}, ErrorKind::bad_data, "window 1: a score lies beyond");
  EXPECT_THROW((void)run(golden_scores(Seconds{1}), {.em_steps = 0}), Error);
  EXPECT_THROW((void)run(golden_scores(Seconds{1}), {.drift = -1}), Error);
  EXPECT_THROW((void)StateSpaceFilter::make(Seconds{0}), Error);
}

// Trials of different lengths and with windows missing, in more than one group, one of another hop.
TEST(StateSpace, GivesTheBitsOfTrialsThatAreTrackedAlone) {
  std::vector<Scores> trials;
  for (Index k = 0; k < 11; ++k) {
    Scores scores = golden_scores(Seconds{k == 9 ? 0.5 : 1.0});
    scores.values = scores.values.bottomRows(60 - (k * 5)).eval();
    if (k % 3 == 1) scores.values.row(k / 2) << NAN, 0.1;
    trials.push_back(scores);
  }
  std::vector<Evidence> evidence;
  const LogLikelihoods none;
  for (const Scores& one : trials) evidence.push_back({one, none});
  const auto together = StateSpaceTracker{}.track(evidence);
  ASSERT_EQ(together.size(), trials.size());
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Tracked alone = run(trials[k]);
    EXPECT_EQ(together[k].posteriors.values, alone.posteriors.values) << "trial " << k;
    EXPECT_EQ(together[k].posteriors.held, alone.posteriors.held);
    EXPECT_EQ(together[k].decisions.states, alone.decisions.states);
  }
}

// Scores that contradict each other and drifts that are large send it far from where the last step was.
TEST(StateSpace, FindsTheModeWhereverItIs) {
  Scores scores{Matrix(80, 2), Seconds{1}};
  for (Index t = 0; t < 80; ++t) scores.values.row(t) << (t % 7 < 3 ? 1.0 : 0.0), (t % 5 < 2 ? 1.0 : 0.0);
  const Tracked tracked = run(scores, {.drift = 30, .drift_scale = 50});
  const Tracked longer = run(scores, {.newton_steps = 1000, .drift = 30, .drift_scale = 50});
  EXPECT_TRUE(tracked.posteriors.values.allFinite());
  EXPECT_LT((tracked.posteriors.values - longer.posteriors.values).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace heed::track
