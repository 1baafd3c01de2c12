// SPDX-License-Identifier: MIT
// A prior against the formula on the lagged matrix, and where it must not reach.
#include <heed/decode/least_squares.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <heed/decode/cca.h>

#include <Eigen/Cholesky>
#include <array>
#include <limits>

namespace heed::decode {
namespace {

using test::planted_trial;

constexpr DecoderLags lags{{0, 3}, {0, 0}};

Matrix some_prior(Index rows, Index columns, std::uint64_t seed = 77) {
  return test::Draws(seed).matrix(rows, columns);
}

const Matrix& weights_of(const Decoder& decoder) { return std::get<LeastSquaresDecoder>(decoder.filters).weights; }

TEST(Prior, ItsWeightGrowsWithTheNumberOfOthers) {
  EXPECT_EQ(automatic_prior_weight(0), 0);
  EXPECT_NEAR(automatic_prior_weight(3), 0.20625, 1e-12);
  EXPECT_NEAR(automatic_prior_weight(8), 0.55 * 8 / 13, 1e-12);
  EXPECT_LT(automatic_prior_weight(100000), 0.55);
}

// (1-b) X'y/n + b prior, with the listener's own X'X, solved from the lagged matrix that heed never makes.
TEST(Prior, DecodersAreThoseOfTheFormula) {
  const Trial trial = planted_trial({});
  const TrialStatistics statistics = trial_statistics(trial, lags);
  const Matrix x = test::lagged_matrix(trial.eeg, lags.eeg);
  const Matrix prior = some_prior(x.cols(), 1);
  constexpr double b = 0.4;
  const auto n = static_cast<double>(trial.samples());
  Eigen::MatrixXd covariance = x.transpose() * x / n;
  covariance.diagonal().array() += 0.3 * covariance.trace() / static_cast<double>(x.cols());
  const Eigen::VectorXd cross = (1 - b) / n * x.transpose() * trial.stimuli[0].col(0) + b * prior.col(0);
  const Eigen::VectorXd expected = covariance.ldlt().solve(cross);

  const TrainingTrial one{&trial, &statistics};
  const TrainingOptions options{
      .lags = lags, .regularisation = {RegularisationKind::ridge, 0.3, {}}, .prior = CrossPrior{prior, b}};
  const Matrix found = weights_of(train_least_squares({&one, 1}, options));
  for (Index i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.data()[i], expected(i), 1e-12) << i;
}

TEST(Prior, LeavesTheListenersOwnNoiseAlone) {
  const TrialStatistics own = trial_statistics(planted_trial({}), lags);
  const TrialStatistics mixed = with_prior(own, {some_prior(own.xy.rows(), 1), 0.7});
  EXPECT_EQ(mixed.xx, own.xx);
  EXPECT_EQ(mixed.yy, own.yy);
  EXPECT_EQ(mixed.samples, own.samples);
  EXPECT_NE(mixed.xy, own.xy);
  EXPECT_EQ(with_prior(own, {some_prior(own.xy.rows(), 1), 0}).xy, own.xy);
  EXPECT_EQ(with_prior(own, {some_prior(own.xy.rows(), 1, 5), 1}).xy,
            Matrix(own.samples * some_prior(own.xy.rows(), 1, 5)));
}

// Causal signals come in volts; a prior is in units of deviations. Any unit gives the same decoder, up to the unit.
TEST(Prior, MeetsSignalsInTheirOwnScales) {
  Trial volts = planted_trial({});
  volts.eeg *= 1e-6;
  volts.stimuli[0] *= 40;
  const Trial plain = planted_trial({});
  std::array<Decoder, 2> decoders;
  for (int k = 0; k < 2; ++k) {
    const Trial& trial = k == 0 ? plain : volts;
    const TrialStatistics statistics = trial_statistics(trial, lags);
    const TrainingTrial one{&trial, &statistics};
    decoders[k] = train_least_squares(
        {&one, 1}, {.lags = lags, .standardise = true, .prior = CrossPrior{some_prior(statistics.xy.rows(), 1), 0.4}});
  }
  EXPECT_LE((weights_of(decoders[0]) - weights_of(decoders[1])).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(decoders[1].eeg_scales.deviation(0), 1e-6 * decoders[0].eeg_scales.deviation(0), 1e-18);
}

// With enough weight the pairs are the prior's own, those of inner folds too: the discriminant sees them.
TEST(Prior, ReachesEveryFitOfCca) {
  std::vector<Trial> trials{planted_trial({.samples = 64 * 40}), planted_trial({.samples = 64 * 40, .seed = 2})};
  const DecoderLags wide{{0, 3}, {-2, 0}};
  std::vector<TrialStatistics> statistics;
  for (const Trial& trial : trials) statistics.push_back(trial_statistics(trial, wide));
  TrainingOptions options{.lags = wide, .pairs = 2};
  const Decoder alone = train_cca(test::training(trials, statistics), options);
  options.prior = CrossPrior{some_prior(statistics[0].xy.rows(), statistics[0].xy.cols()), 0.9};
  const Decoder leaning = train_cca(test::training(trials, statistics), options);
  const CcaDecoder expected =
      fit_cca(with_prior(total(statistics), *options.prior), {options.regularisation, options.stimulus_ridge, 2});
  const auto& pairs = std::get<CcaDecoder>(leaning.filters);
  EXPECT_EQ(pairs.eeg_filters, expected.eeg_filters);
  EXPECT_NE(pairs.discriminant.weights, std::get<CcaDecoder>(alone.filters).discriminant.weights);
}

// Products that depend on the difference of lags alone: the mean over a long stationary signal has them to within its
// ends.
TEST(Prior, DelaysBecomeProductsOfAnyLags) {
  const Trial trial = planted_trial({.samples = 4000});
  const DecoderLags wanted{{0, 2}, {-2, 0}};
  EXPECT_EQ(delays_for(wanted), (LagRange{0, 4}));
  const TrialStatistics delayed = trial_statistics(trial, {{0, 4}, {0, 0}});
  const Matrix found = cross_products({{0, 4}, delayed.channels, delayed.xy / delayed.samples}, wanted);
  const TrialStatistics exact = trial_statistics(trial, wanted);
  EXPECT_LE((found - exact.xy / exact.samples).cwiseAbs().maxCoeff(), 2e-3);
  // Least squares takes them as they are.
  EXPECT_EQ(cross_products({{0, 4}, delayed.channels, delayed.xy}, {{0, 2}, {0, 0}}),
            Matrix(delayed.xy.topRows(3 * delayed.channels)));
}

TEST(Prior, RefusesWhatDoesNotFit) {
  const TrialStatistics own = trial_statistics(planted_trial({}), lags);
  test::expect_error(ErrorKind::invalid_argument, {"3 x 1", "16 x 1"}, [&] {
    (void)with_prior(own, {some_prior(3, 1), 0.1});
  });
  for (const double weight : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    test::expect_error(ErrorKind::invalid_argument, {"0", "1"}, [&] {
      (void)with_prior(own, {some_prior(16, 1), weight});
    });
  }
  test::expect_error(ErrorKind::invalid_argument, {"0 ... 6", "0 ... 4"}, [&] {
    (void)cross_products({{0, 4}, 1, some_prior(5, 1)}, {{0, 3}, {-3, 0}});
  });
}

}  // namespace
}  // namespace heed::decode
