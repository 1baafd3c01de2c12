// SPDX-License-Identifier: MIT
// Least squares against numpy; folds against fits of their own; what training on trials adds.
#include <heed/decode/least_squares.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"
#include "unit/decode/oracle_values.h"

#include <gtest/gtest.h>

#include <heed/decode/score.h>

namespace heed::decode {
namespace {

using test::planted_trial;

constexpr DecoderLags lags{{0, 3}, {0, 0}};

struct Case {
  std::vector<Trial> trials{};
  std::vector<TrialStatistics> statistics{};
};

Case some_trials(std::uint64_t count, const DecoderLags& wanted = lags) {
  Case result;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    result.trials.push_back(planted_trial({.seed = seed}));
    result.statistics.push_back(trial_statistics(result.trials.back(), wanted));
  }
  return result;
}

TEST(LeastSquares, WeightsAreThoseOfNumpy) {
  const LeastSquaresDecoder decoder = fit_least_squares(trial_statistics(planted_trial(), lags), {});
  ASSERT_EQ(decoder.weights.rows(), 4);
  ASSERT_EQ(decoder.weights.cols(), 4);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_NEAR(decoder.weights.data()[i], test::least_squares_oracle[i], 1e-12) << i;
  }
  // The same from statistics with more stimulus lags.
  const LeastSquaresDecoder wide = fit_least_squares(trial_statistics(planted_trial(), {{0, 3}, {-3, 1}}), {});
  EXPECT_LE((wide.weights - decoder.weights).cwiseAbs().maxCoeff(), 1e-12);
}

// Each target has the weights it would have alone, one below the other.
TEST(LeastSquares, SeveralTargetsAreFittedSideBySide) {
  const Trial both = test::with_second_target(planted_trial());
  for (const DecoderLags& wanted : {lags, DecoderLags{{0, 3}, {-3, 1}}}) {
    const LeastSquaresDecoder decoder = fit_least_squares(trial_statistics(both, wanted), {});
    ASSERT_EQ(decoder.weights.rows(), 8);
    for (Index k = 0; k < 2; ++k) {
      Trial alone = both;
      alone.targets = {both.targets[static_cast<std::size_t>(k)]};
      for (Matrix& stimulus : alone.stimuli) stimulus = Matrix(stimulus.col(k));
      const LeastSquaresDecoder expected = fit_least_squares(trial_statistics(alone, lags), {});
      EXPECT_LE((decoder.weights.middleRows(4 * k, 4) - expected.weights).cwiseAbs().maxCoeff(), 1e-12) << k;
    }
  }
}

TEST(LeastSquares, LeavingOneOutIsFittingTheOthers) {
  const Case some = some_trials(3);
  const auto folds = fit_leaving_one_out(some.statistics, {});
  ASSERT_EQ(folds.size(), 3U);
  const std::vector<TrialStatistics> others{some.statistics[0], some.statistics[2]};
  const LeastSquaresDecoder expected = fit_least_squares(total(others), {});
  EXPECT_LE((folds[1].weights - expected.weights).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_GT((folds[0].weights - expected.weights).cwiseAbs().maxCoeff(), 1e-4);
  test::expect_error(ErrorKind::bad_data, {"at least 2"},
                     [&] { (void)fit_leaving_one_out(std::span(some.statistics).first(1), {}); });
}

TEST(LeastSquares, LeavingOneOutChoosesItsRidgeWithinTheOthers) {
  const Case some = some_trials(4);
  const Regularisation chosen{RegularisationKind::cross_validated, 0, {0.01, 100}};
  const auto folds = fit_leaving_one_out(some.statistics, chosen);
  const TrainingOptions options{.lags = lags, .regularisation = chosen};
  auto others = test::training(some.trials, some.statistics);
  others.erase(others.begin() + 2);
  const Decoder expected = train_least_squares(others, options);
  EXPECT_LE((folds[2].weights - std::get<LeastSquaresDecoder>(expected.filters).weights).cwiseAbs().maxCoeff(), 1e-12);
  test::expect_error(ErrorKind::bad_data, {"3 trials are too few"},
                     [&] { (void)fit_leaving_one_out(std::span(some.statistics).first(3), chosen); });
}

TEST(LeastSquares, FoldsAreTrialsFromThreeOnAndElseBlocksWithAGuard) {
  const Case some = some_trials(3);
  const auto trials = test::training(some.trials, some.statistics);
  const auto whole = training_folds(trials, lags);
  ASSERT_EQ(whole.size(), 3U);
  EXPECT_EQ(whole[1].training.samples, 800);
  EXPECT_EQ(whole[1].held_out[0].trial, 1U);
  EXPECT_EQ(whole[1].held_out[0].samples, (SampleRange{0, 400}));

  const auto blocks = training_folds(std::span(trials).first(2), lags);
  ASSERT_EQ(blocks.size(), 5U);
  EXPECT_EQ(blocks[0].held_out.size(), 2U);
  EXPECT_EQ(blocks[2].held_out[1].samples, (SampleRange{160, 80}));
  EXPECT_EQ(blocks[0].training.samples, 2 * (400 - 80 - 64)) << "a second after the block is left out";
  EXPECT_EQ(blocks[2].training.samples, 2 * (400 - 80 - 128)) << "and before it";
  const SampleRange left_out{160 - 64, 80 + 128};
  const TrialStatistics expected = trial_statistics(some.trials[0], lags, {&left_out, 1});
  TrialStatistics both = expected;
  both += trial_statistics(some.trials[1], lags, {&left_out, 1});
  EXPECT_EQ(blocks[2].training.xx, both.xx);
}

TEST(LeastSquares, StandardisedDecodersDoNotCareForUnits) {
  Case some = some_trials(3);
  TrainingOptions options{.lags = lags, .standardise = true};
  const Decoder plain = train_least_squares(test::training(some.trials, some.statistics), options);
  const Scores expected = score(plain, some.trials[0], Seconds{1});
  for (std::size_t i = 0; i < 3; ++i) {
    some.trials[i].eeg.col(2) *= 1e-6;
    for (Matrix& stimulus : some.trials[i].stimuli) stimulus *= 1000;
    some.statistics[i] = trial_statistics(some.trials[i], lags);
  }
  const Decoder scaled = train_least_squares(test::training(some.trials, some.statistics), options);
  EXPECT_NEAR(scaled.eeg_scales.deviation(2) / plain.eeg_scales.deviation(2), 1e-6, 1e-15);
  EXPECT_LE((score(scaled, some.trials[0], Seconds{1}).values - expected.values).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_EQ(plain.channels, some.trials[0].channels);
  EXPECT_EQ(plain.preprocessing.sampling_frequency, Hertz{64});
  // Without scales the tiny channel is lost under the ridge.
  options.standardise = false;
  const Decoder lost = train_least_squares(test::training(some.trials, some.statistics), options);
  EXPECT_GT((score(lost, some.trials[0], Seconds{1}).values - expected.values).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(LeastSquares, ChoosesARidgeFromBlocksOfOneTrial) {
  const Case some = some_trials(1);
  const TrainingOptions options{.lags = lags, .regularisation = {RegularisationKind::cross_validated, 0, {1e4, 0.1}}};
  const Decoder decoder = train_least_squares(test::training(some.trials, some.statistics), options);
  const LeastSquaresDecoder a = fit_least_squares(some.statistics[0], {RegularisationKind::ridge, 0.1, {}});
  const LeastSquaresDecoder b = fit_least_squares(some.statistics[0], {RegularisationKind::ridge, 1e4, {}});
  const Matrix& weights = std::get<LeastSquaresDecoder>(decoder.filters).weights;
  EXPECT_TRUE(weights == a.weights || weights == b.weights);
}

TEST(LeastSquares, RefusesWhatItCannotFit) {
  Trial trial = planted_trial();
  trial.eeg.col(3) = trial.eeg.col(2);
  const TrialStatistics twins = trial_statistics(trial, {{0, 0}, {0, 0}});
  test::expect_error(ErrorKind::singular, {"covariance of the EEG", "ridge above 0"}, [&] {
    (void)fit_least_squares(twins, {RegularisationKind::ridge, 0, {}});
  });
  EXPECT_NO_THROW((void)fit_least_squares(twins, {}));

  const TrialStatistics early = trial_statistics(planted_trial(), {{0, 3}, {-3, -1}});
  test::expect_error(ErrorKind::invalid_argument, {"stimulus lag 0"}, [&] { (void)fit_least_squares(early, {}); });

  Case some = some_trials(2);
  const TrainingOptions options{.lags = {{0, 4}, {0, 0}}};
  test::expect_error(ErrorKind::invalid_argument, {"lags other than"},
                     [&] { (void)train_least_squares(test::training(some.trials, some.statistics), options); });
  some.trials[1].channels[0] = "Cz";
  test::expect_error(ErrorKind::bad_data, {"channels are not those of"},
                     [&] { (void)train_least_squares(test::training(some.trials, some.statistics), {.lags = lags}); });
  test::expect_error(ErrorKind::bad_data, {"no trial"}, [] { (void)train_least_squares({}, {.lags = lags}); });
}

}  // namespace
}  // namespace heed::decode
