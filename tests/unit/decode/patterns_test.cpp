// SPDX-License-Identifier: MIT
// Forward patterns against the mixing they must find again.
#include <decode/patterns.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>

#include <heed/decode/cca.h>

namespace heed::decode {
namespace {

// One source seen by all channels, and a stronger noise that the decoder's weights must cancel.
Trial mixed(const Eigen::RowVectorXd& source_pattern, const Eigen::RowVectorXd& noise_pattern) {
  test::Draws draws(11);
  Trial trial = test::planted_trial({.samples = 20000, .strength = 0});
  const Matrix noise = draws.matrix(20000, 1);
  trial.eeg = trial.stimuli[0] * source_pattern + 5 * noise * noise_pattern + 0.05 * trial.eeg;
  return trial;
}

TEST(Patterns, FindTheMixingThatWeightsHide) {
  const Eigen::RowVector4d source(1, 0.5, -0.5, 0.2);
  const Eigen::RowVector4d noise(1, 1, 1, -1);
  const Trial trial = mixed(source, noise);
  const DecoderLags lags{{0, 0}, {0, 0}};
  const TrialStatistics statistics = trial_statistics(trial, lags);
  Decoder decoder;
  decoder.channels = trial.channels;
  const LeastSquaresDecoder fitted = fit_least_squares(statistics, {RegularisationKind::ridge, 1e-6, {}});
  decoder.filters = fitted;
  const auto patterns = forward_patterns(decoder, statistics);
  ASSERT_EQ(patterns.size(), 1U);
  EXPECT_LE((patterns[0] - source).cwiseAbs().maxCoeff(), 0.06) << "the noise correlates by chance, 5/sqrt(20000)";
  const Matrix direction = fitted.weights / fitted.weights.norm() * source.norm();
  EXPECT_GT((direction - source).cwiseAbs().maxCoeff(), 0.2) << "weights are no pattern";
}

TEST(Patterns, AreTheCovarianceOfEegAndOutputOverItsPower) {
  const Trial trial = test::planted_trial({.seed = 8});
  const DecoderLags lags{{0, 3}, {-3, 0}};
  const TrialStatistics statistics = trial_statistics(trial, lags);
  Decoder decoder;
  decoder.channels = trial.channels;
  decoder.eeg_lags = lags.eeg;
  decoder.stimulus_lags = lags.stimulus;
  decoder.filters = fit_cca(statistics, {.pairs = 2});
  const auto patterns = forward_patterns(decoder, statistics);
  ASSERT_EQ(patterns.size(), 2U);
  const Matrix x = test::lagged_matrix(trial.eeg, lags.eeg);
  const Matrix& filter = std::get<CcaDecoder>(decoder.filters).eeg_filters[1];
  const Eigen::VectorXd u = x * Eigen::Map<const Eigen::VectorXd>(filter.data(), filter.size());
  const Eigen::VectorXd expected = x.transpose() * u / u.squaredNorm();
  EXPECT_LE((Eigen::Map<const Eigen::VectorXd>(patterns[1].data(), 16) - expected).cwiseAbs().maxCoeff(), 1e-11);

  // With scales: the same numbers for signals in other units.
  Trial larger = trial;
  larger.eeg.col(0) *= 7;
  decoder.eeg_scales = {Eigen::VectorXd::Zero(4), Eigen::VectorXd::Ones(4)};
  decoder.eeg_scales.deviation(0) = 7;
  decoder.stimulus_scales = {Eigen::VectorXd::Zero(1), Eigen::VectorXd::Ones(1)};
  const auto scaled = forward_patterns(decoder, trial_statistics(larger, lags));
  EXPECT_LE((scaled[1] - patterns[1]).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Patterns, RefuseOtherShapesAndFiltersThatGiveNothing) {
  const TrialStatistics statistics = trial_statistics(test::planted_trial(), {{0, 3}, {0, 0}});
  Decoder decoder;
  decoder.channels = test::numbered("C", 4);
  decoder.eeg_lags = {0, 2};
  decoder.filters = LeastSquaresDecoder{Matrix::Zero(3, 4)};
  test::expect_error(ErrorKind::invalid_argument, {"lags and channels", "3 x 4"},
                     [&] { (void)forward_patterns(decoder, statistics); });
  decoder.eeg_lags = {0, 3};
  decoder.filters = LeastSquaresDecoder{Matrix::Zero(4, 4)};
  test::expect_error(ErrorKind::singular, {"gives nothing"}, [&] { (void)forward_patterns(decoder, statistics); });
}

}  // namespace
}  // namespace heed::decode
