// SPDX-License-Identifier: MIT
// CCA against the generalised eigenproblem of scipy, and against its laws.
#include <heed/decode/cca.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"
#include "unit/decode/oracle_values.h"

#include <gtest/gtest.h>

#include <heed/decode/score.h>

#include <algorithm>
#include <cmath>

namespace heed::decode {
namespace {

using test::planted_trial;

constexpr DecoderLags lags{{0, 3}, {-3, 0}};

void expect_values(const Matrix& found, const std::vector<double>& oracle) {
  ASSERT_EQ(found.size(), static_cast<Index>(oracle.size()));
  for (Index i = 0; i < found.size(); ++i) EXPECT_NEAR(found.data()[i], oracle[static_cast<std::size_t>(i)], 1e-9) << i;
}

TEST(Cca, IsTheGeneralisedEigenproblem) {
  const TrialStatistics statistics = trial_statistics(planted_trial(), lags);
  const Eigen::VectorXd correlations = canonical_correlations(statistics, {});
  ASSERT_EQ(correlations.size(), 4) << "ten pairs are asked for, the stimulus has four dimensions";
  for (Index p = 0; p < 4; ++p) {
    EXPECT_NEAR(correlations(p), test::canonical_correlations_oracle[static_cast<std::size_t>(p)], 1e-10);
  }
  const CcaDecoder decoder = fit_cca(statistics, {});
  expect_values(decoder.eeg_filters[0], test::eeg_filter_oracle_0);
  expect_values(decoder.eeg_filters[1], test::eeg_filter_oracle_1);
  expect_values(decoder.stimulus_filters[0], test::stimulus_filter_oracle_0);
  expect_values(decoder.stimulus_filters[1], test::stimulus_filter_oracle_1);
  EXPECT_EQ(fit_cca(statistics, {.pairs = 2}).eeg_filters.size(), 2U);
}

TEST(Cca, PairsHaveUnitVarianceAndCorrelateWithNoOther) {
  const TrialStatistics statistics = trial_statistics(planted_trial({.seed = 4}), lags);
  const CcaOptions bare{.regularisation = {RegularisationKind::ridge, 0, {}}, .stimulus_ridge = 0};
  const CcaDecoder decoder = fit_cca(statistics, bare);
  const Eigen::VectorXd correlations = canonical_correlations(statistics, bare);
  const auto vector = [](const Matrix& filter) {
    return Eigen::Map<const Eigen::VectorXd>(filter.data(), filter.size());
  };
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t q = 0; q < 4; ++q) {
      const auto u = vector(decoder.eeg_filters[p]);
      const auto v = vector(decoder.stimulus_filters[q]);
      const double same = p == q ? 1 : 0;
      EXPECT_NEAR(u.dot(statistics.xx * vector(decoder.eeg_filters[q])) / statistics.samples, same, 1e-10);
      EXPECT_NEAR(vector(decoder.stimulus_filters[p]).dot(statistics.yy * v) / statistics.samples, same, 1e-10);
      EXPECT_NEAR(u.dot(statistics.xy * v) / statistics.samples, same * correlations(static_cast<Index>(p)), 1e-10);
    }
  }
}

TEST(Cca, MomentsAreThoseOfTheWindowsCorrelations) {
  Trial trial = planted_trial({.samples = 6 * 64});
  trial.attention = {{{0, 128}, 0}, {{160, 224}, 1}};  // window 2 has no single label
  trial.missing = {{5 * 64 + 20, 3}};
  const TrialStatistics statistics = trial_statistics(planted_trial({.seed = 9}), lags);
  Decoder decoder;
  decoder.channels = trial.channels;
  decoder.eeg_lags = lags.eeg;
  decoder.stimulus_lags = lags.stimulus;
  decoder.filters = fit_cca(statistics, {.pairs = 2});
  const DiscriminantMoments found = discriminant_moments(decoder, trial);
  EXPECT_EQ(found.attended.count, 4) << "windows 0, 1, 3, 4";
  EXPECT_EQ(found.unattended.count, 4);
  const CellSums cells = cell_sums(decoder, trial);
  WindowCorrelator correlator({}, {.cells = 4}, cells);
  double expected = 0;
  for (const int attended : {0, 0, -1, 1, 1}) {
    const Matrix correlations = correlator.next(cells);
    if (attended >= 0) expected += std::atanh(correlations(attended, 1));
  }
  EXPECT_NEAR(found.attended.sum(1), expected, 1e-12);
  // The first two seconds alone.
  EXPECT_EQ(discriminant_moments(decoder, trial, {0, 128}).attended.count, 2);
}

TEST(Cca, TrainedDecodersTellTheAttendedSpeaker) {
  for (const std::uint64_t count : {1U, 4U}) {  // blocks within a trial; trials
    std::vector<Trial> trials;
    std::vector<TrialStatistics> statistics;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
      trials.push_back(planted_trial({.samples = 3200, .strength = 0.3, .seed = seed}));
      statistics.push_back(trial_statistics(trials.back(), lags));
    }
    for (const bool standardise : {false, true}) {
      const Decoder decoder = train_cca(test::training(trials, statistics), {.lags = lags, .standardise = standardise});
      EXPECT_EQ(score_type(decoder), ScoreType::log_odds);
      const Scores scores = score(decoder, planted_trial({.samples = 6400, .strength = 0.3, .seed = 77}), Seconds{1});
      const auto right = (scores.values.col(0).array() > scores.values.col(1).array()).count();
      EXPECT_GE(right, 85) << "of 100; " << count << " trials";
      // In log-odds both classes lie on their side of 0.
      EXPECT_GT(scores.values.col(0).mean(), 0.5);
      EXPECT_LT(scores.values.col(1).mean(), -0.5);
    }
  }
}

// Differences and their negatives are symmetric about zero.
TEST(Cca, TheDiscriminantOfDifferencesHasNoBias) {
  std::vector<Trial> trials;
  std::vector<TrialStatistics> statistics;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    trials.push_back(planted_trial({.samples = 3200, .strength = 0.3, .seed = seed}));
    statistics.push_back(trial_statistics(trials.back(), lags));
  }
  TrainingOptions options{.lags = lags, .pairs = 2};
  const auto usual = std::get<CcaDecoder>(train_cca(test::training(trials, statistics), options).filters);
  options.discriminant = DiscriminantForm::difference;
  const auto other = std::get<CcaDecoder>(train_cca(test::training(trials, statistics), options).filters);
  EXPECT_NEAR(other.discriminant.bias, 0, 1e-9);
  EXPECT_GT(other.discriminant.weights(0), 0) << "the first pair tells who is attended";
  EXPECT_GT((other.discriminant.weights - usual.discriminant.weights).norm(), 1e-6);
  EXPECT_EQ(other.eeg_filters[0], usual.eeg_filters[0]) << "the pairs are the same";
}

TEST(Cca, PairsAloneAreThoseOfAWholeDecoder) {
  const std::vector<Trial> trials{planted_trial({.samples = 1600}), planted_trial({.samples = 1600, .seed = 5})};
  const std::vector<TrialStatistics> statistics{trial_statistics(trials[0], lags), trial_statistics(trials[1], lags)};
  for (const bool standardise : {false, true}) {
    const TrainingOptions options{.lags = lags, .standardise = standardise};
    const Decoder pairs = train_pairs(test::training(trials, statistics), options);
    const Decoder whole = train_cca(test::training(trials, statistics), options);
    EXPECT_EQ(std::get<CcaDecoder>(pairs.filters).eeg_filters, std::get<CcaDecoder>(whole.filters).eeg_filters);
    EXPECT_EQ(std::get<CcaDecoder>(pairs.filters).discriminant.weights.size(), 0);
    EXPECT_EQ(pairs.eeg_scales.deviation, whole.eeg_scales.deviation);
    test::expect_error(ErrorKind::invalid_argument, {"discriminant has 0 weights"},
                       [&] { (void)score(pairs, trials[0], Seconds{1}); });
  }
}

TEST(Cca, RefusesSilenceOneSpeakerAndNonsense) {
  Trial trial = planted_trial();
  trial.stimuli[0].setZero();
  const TrialStatistics silent = trial_statistics(trial, lags);
  test::expect_error(ErrorKind::singular, {"silent"}, [&] { (void)fit_cca(silent, {}); });
  const TrialStatistics good = trial_statistics(planted_trial(), lags);
  test::expect_error(ErrorKind::invalid_argument, {"1 pair"}, [&] { (void)fit_cca(good, {.pairs = 0}); });
  test::expect_error(ErrorKind::invalid_argument, {"stimulus ridge"},
                     [&] { (void)fit_cca(good, {.stimulus_ridge = -1}); });

  std::vector<Trial> alone{planted_trial()};
  alone[0].stimuli.pop_back();
  alone[0].speakers.pop_back();
  const std::vector<TrialStatistics> statistics{trial_statistics(alone[0], lags)};
  test::expect_error(ErrorKind::bad_data, {"only one speaker", "least squares"},
                     [&] { (void)train_cca(test::training(alone, statistics), {.lags = lags}); });
}

}  // namespace
}  // namespace heed::decode
