// SPDX-License-Identifier: MIT
// Chunks of any size against the decoder that is handed windows; what gains, gaps and new trials do.
#include <heed/decode/adaptive_decoder.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace heed::decode {
namespace {

constexpr AdaptiveScorer::Shape shape{.channels = 5, .lags = {0, 3}, .talkers = 2, .window = {0.5}};

struct Outcome {
  std::vector<double> scores{};
  std::vector<double> log_likelihoods{};
};

Outcome scored(const Trial& trial, Index rows_at_once, AdaptiveScorer scorer) {
  Outcome outcome;
  const auto keep = [&] {
    outcome.log_likelihoods.insert(outcome.log_likelihoods.end(), scorer.log_likelihoods().begin(),
                                   scorer.log_likelihoods().end());
  };
  for (Index t = 0; t < trial.samples(); t += rows_at_once) {
    const Index rows = std::min(rows_at_once, trial.samples() - t);
    const std::array stimuli{data::view(trial.stimuli[0]).middle_rows(t, rows),
                             data::view(trial.stimuli[1]).middle_rows(t, rows)};
    std::vector<SampleRange> missing;
    for (const SampleRange& range : trial.missing) {
      const Index first = std::max(range.first, t);
      const Index end = std::min(range.first + range.count, t + rows);
      if (first < end) missing.push_back({first - t, end - first});
    }
    scorer.push({data::view(trial.eeg).middle_rows(t, rows), stimuli, missing}, outcome.scores);
    keep();
  }
  scorer.finish(outcome.scores);
  keep();
  return outcome;
}

AdaptiveStart some_population() {
  const TrialStatistics sums =
      trial_statistics(test::planted_trial({.samples = 4000, .channels = 5, .seed = 77}), {{0, 3}, {0, 0}});
  const double power = sums.squares.mean() / sums.samples;
  AdaptiveStart start;
  start.covariance = sums.xx / (sums.samples * power);
  start.cross = sums.xy.col(0) / (sums.samples * std::sqrt(power / 3));
  return start;
}

Outcome scored(const Trial& trial, Index rows_at_once, LagRange lags = shape.lags) {
  AdaptiveScorer::Shape wanted = shape;
  wanted.lags = lags;
  return scored(trial, rows_at_once, AdaptiveScorer(some_population(), wanted, {.half_life = 400}));
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i])) {
      EXPECT_TRUE(std::isnan(b[i])) << i;
    } else {
      EXPECT_EQ(a[i], b[i]) << i;
    }
  }
}

TEST(AdaptiveScorer, ChunksOfAnySizeGiveTheSameBits) {
  Trial trial = test::planted_trial({.samples = 3000, .channels = 5});
  trial.missing = {{700, 3}, {1000, 200}};
  for (const LagRange lags : {LagRange{0, 3}, LagRange{-2, 1}, LagRange{2, 5}}) {
    const Outcome whole = scored(trial, 3000, lags);
    EXPECT_EQ(whole.scores.size(), 2U * 93U);
    EXPECT_EQ(whole.log_likelihoods.size(), whole.scores.size());
    for (const Index rows : {1, 7, 32, 999}) {
      const Outcome pieces = scored(trial, rows, lags);
      expect_same_bits(pieces.scores, whole.scores);
      expect_same_bits(pieces.log_likelihoods, whole.log_likelihoods);
    }
  }
}

TEST(AdaptiveScorer, WindowsThatSeeAGapAreMissing) {
  Trial trial = test::planted_trial({.samples = 960, .channels = 5});
  trial.missing = {{321, 2}, {640, 1}};  // windows 10 and 20; the lags of windows 9 and 19 reach the second only
  const Outcome outcome = scored(trial, 64);
  for (std::size_t window = 0; window < 30; ++window) {
    const bool missing = window == 9 || window == 10 || window == 19 || window == 20;
    EXPECT_EQ(std::isnan(outcome.scores[2 * window]), missing) << window;
  }
}

TEST(AdaptiveScorer, NeitherGainNorUnitMatters) {
  const Trial trial = test::planted_trial({.samples = 2000, .channels = 5});
  Trial other = trial;
  other.eeg *= 1024;
  other.eeg.col(2) /= 4;
  other.stimuli[1] *= 8;
  expect_same_bits(scored(other, 100).scores, scored(trial, 100).scores);
}

TEST(AdaptiveScorer, WhatWasLearntStaysFromTrialToTrial) {
  const Trial trial = test::planted_trial({.samples = 3200, .channels = 5});
  AdaptiveScorer scorer(some_population(), shape);
  std::vector<double> scores;
  const std::array stimuli{data::view(trial.stimuli[0]), data::view(trial.stimuli[1])};
  scorer.push({data::view(trial.eeg), stimuli, {}}, scores);
  scorer.finish(scores);
  const double after = scorer.decoder().learnt().labelled_windows;
  EXPECT_NEAR(after, 100, 15);
  scorer.push({data::view(trial.eeg), stimuli, {}}, scores);
  EXPECT_GT(scorer.decoder().learnt().labelled_windows, after + 50);
  EXPECT_NEAR(static_cast<double>(scores.size()), 2 * 199, 1);  // of the second trial the last waits for its lags
}

// Two trials, the second by another population; a gap; several windows that wait for their lags at the end. With a
// population of the wrong sign, which is given up where it counts for little.
std::vector<double> two_trials(AdaptiveScorer& scorer, const AdaptiveStart& second) {
  const Trial trial = test::planted_trial({.samples = 6400, .channels = 5});
  const std::array missing{SampleRange{1000, 200}};
  const std::array stimuli{data::view(trial.stimuli[0]), data::view(trial.stimuli[1])};
  std::vector<double> scores;
  scorer.push({data::view(trial.eeg), stimuli, missing}, scores);
  scorer.finish(scores);
  scorer.lean_on(second);
  scorer.push({data::view(trial.eeg), stimuli, {}}, scores);
  scorer.finish(scores);
  return scores;
}

TEST(AdaptiveScorer, RivalsHaveTheBitsOfScorersOfTheirOwn) {
  constexpr AdaptiveScorer::Shape quarters{.channels = 5, .lags = {0, 19}, .talkers = 2, .window = {0.25}};
  const AdaptiveStart start{.covariance = Matrix::Identity(100, 100), .cross = Eigen::VectorXd::Constant(100, -0.02)};
  AdaptiveStart second = start;
  second.covariance *= 1.5;
  second.cross.tail(50).setZero();
  for (const std::array<double, 3>& counts : {std::array{300.0, 3.0, 3000.0}, std::array{3.0, 3000.0, 300.0}}) {
    AdaptiveScorer together(start, quarters, {.population_windows = counts[0]}, std::span(counts).subspan(1));
    const std::vector<double> all = two_trials(together, second);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      AdaptiveScorer alone(start, quarters, {.population_windows = counts[k]});
      const std::vector<double> own = two_trials(alone, second);
      ASSERT_EQ(all.size(), counts.size() * own.size());
      std::vector<double> found;
      for (std::size_t i = 0; i < own.size(); ++i) found.push_back(all[(i / 2 * counts.size() + k) * 2 + i % 2]);
      expect_same_bits(found, own);
      EXPECT_EQ(alone.decoder().learnt().guarded.has_value(), counts[k] > 3);
    }
  }
}

TEST(AdaptiveScorer, RefusesWhatDoesNotFit) {
  using test::expect_error;
  AdaptiveScorer::Shape odd = shape;
  odd.window = {0.3};
  expect_error(ErrorKind::invalid_argument, {"quarter"}, [&] { AdaptiveScorer({}, odd); });
  AdaptiveScorer scorer({}, shape);
  const Trial trial = test::with_second_target(test::planted_trial({.channels = 5}));
  const std::array stimuli{data::view(trial.stimuli[0]), data::view(trial.stimuli[1])};
  std::vector<double> scores;
  expect_error(ErrorKind::invalid_argument, {"one target of 2 talkers"}, [&] {
    scorer.push({data::view(trial.eeg), stimuli, {}}, scores);
  });
}

}  // namespace
}  // namespace heed::decode
