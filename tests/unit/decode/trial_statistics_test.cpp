// SPDX-License-Identifier: MIT
// Statistics against the lagged matrix they never make.
#include <heed/decode/trial_statistics.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace heed::decode {
namespace {

using test::planted_trial;

double distance(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1e-300, b.cwiseAbs().maxCoeff());
}

// From the lagged matrices of signals that are zero where a fit must not look.
void expect_naive(const TrialStatistics& found, const Matrix& eeg, const Matrix& stimulus) {
  const Matrix x = test::lagged_matrix(eeg, found.lags.eeg);
  const Matrix y = test::lagged_matrix(stimulus, found.lags.stimulus);
  EXPECT_LE(distance(found.xx, x.transpose() * x), 1e-12);
  EXPECT_LE(distance(found.xy, x.transpose() * y), 1e-12);
  EXPECT_LE(distance(found.yy, y.transpose() * y), 1e-12);
  EXPECT_NEAR(found.fourth_powers() / x.rowwise().squaredNorm().squaredNorm(), 1, 1e-12);
  EXPECT_LE(distance(found.squares, eeg.colwise().squaredNorm().transpose()), 1e-13);
  EXPECT_LE(distance(found.stimulus_squares, stimulus.colwise().squaredNorm().transpose()), 1e-13);
}

TEST(TrialStatistics, AreThoseOfTheLaggedMatrix) {
  const Trial trial = planted_trial({.samples = 1000, .channels = 5, .seed = 3});
  const TrialStatistics found = trial_statistics(trial, cca_lags(Hertz{64}));
  EXPECT_EQ(found.xx.rows(), 17 * 5);
  EXPECT_EQ(found.xy.cols(), 17);
  EXPECT_EQ(found.samples, 1000);
  EXPECT_EQ(found.xx, Matrix(found.xx.transpose())) << "exactly symmetric";
  expect_naive(found, trial.eeg, trial.stimuli[0]);
}

RC_GTEST_PROP(TrialStatistics, AnyLagsEqualTheLaggedMatrix, ()) {
  const Trial trial = planted_trial({.samples = *rc::gen::inRange<Index>(40, 300),
                                     .channels = *rc::gen::inRange<Index>(1, 4),
                                     .seed = *rc::gen::inRange<std::uint64_t>(1, 999)});
  const auto range = [] {
    const auto first = *rc::gen::inRange<Index>(-12, 12);
    return LagRange{first, first + *rc::gen::inRange<Index>(0, 12)};
  };
  const DecoderLags lags{range(), range()};
  expect_naive(trial_statistics(trial, lags), trial.eeg, trial.stimuli[0]);
}

TEST(TrialStatistics, TakeUnknownAndMissingSamplesAsZeros) {
  Trial trial = planted_trial();
  trial.attention = {{{0, 100}, 0}, {{150, 200}, 1}};
  trial.missing = {{20, 5}, {340, 20}};
  Matrix eeg = Matrix::Zero(400, 4);
  Matrix stimulus = Matrix::Zero(400, 1);
  double samples = 0;
  for (Index t = 0; t < 400; ++t) {
    const bool missing = (t >= 20 && t < 25) || (t >= 340 && t < 360);
    const bool labelled = t < 100 || (t >= 150 && t < 350);
    if (missing || !labelled) continue;
    eeg.row(t) = trial.eeg.row(t);
    stimulus.row(t) = trial.stimuli[t < 100 ? 0 : 1].row(t);
    ++samples;
  }
  const TrialStatistics found = trial_statistics(trial, {{0, 3}, {-3, 0}});
  EXPECT_EQ(found.samples, samples);
  expect_naive(found, eeg, stimulus);

  eeg.middleRows(160, 30).setZero();
  stimulus.middleRows(160, 30).setZero();
  const SampleRange left_out{160, 30};
  expect_naive(trial_statistics(trial, {{0, 3}, {-3, 0}}, std::span(&left_out, 1)), eeg, stimulus);
}

TEST(TrialStatistics, AddAndTakeOff) {
  const DecoderLags lags{{0, 4}, {0, 0}};
  const std::vector<TrialStatistics> trials{trial_statistics(planted_trial({.seed = 1}), lags),
                                            trial_statistics(planted_trial({.seed = 2}), lags)};
  TrialStatistics sum = total(trials);
  EXPECT_EQ(sum.samples, 800);
  EXPECT_EQ(sum.xx, Matrix(trials[0].xx + trials[1].xx));
  sum -= trials[1];
  EXPECT_LE(distance(sum.xx, trials[0].xx), 1e-14);
  EXPECT_LE(distance(sum.energies, trials[0].energies), 1e-14);
  test::expect_error(ErrorKind::invalid_argument, {"cannot be added"},
                     [&] { sum += trial_statistics(planted_trial({.channels = 3}), lags); });
  test::expect_error(ErrorKind::bad_data, {"no trial"}, [] { (void)total({}); });
}

TEST(TrialStatistics, StandardisedAsIfTheSignalsHadBeen) {
  Trial trial = planted_trial();
  trial.eeg.col(1) *= 40;
  trial.stimuli[0] *= 0.01;
  const DecoderLags lags{{0, 4}, {-2, 0}};
  const TrialStatistics raw = trial_statistics(trial, lags);
  const Scales scales = scales_of(raw);
  for (Index c = 0; c < 4; ++c) {
    EXPECT_NEAR(scales.eeg.deviation(c), std::sqrt(trial.eeg.col(c).squaredNorm() / 400), 1e-12 * 40);
    EXPECT_EQ(scales.eeg.mean(c), 0);
    trial.eeg.col(c) /= scales.eeg.deviation(c);
  }
  trial.stimuli[0] /= scales.stimulus.deviation(0);
  expect_naive(standardised(raw, scales), trial.eeg, trial.stimuli[0]);
}

// To the bit: what one listener lends to others must not depend on what else was summed up.
TEST(TrialStatistics, OfTheCrossProductsAloneAreTheSame) {
  Trial trial = planted_trial();
  trial.missing = {{50, 20}};
  const DecoderLags lags{{-1, 4}, {-2, 1}};
  const TrialStatistics whole = trial_statistics(trial, lags);
  const TrialStatistics cross = cross_statistics(trial, lags);
  EXPECT_EQ(cross.lags, lags);
  EXPECT_EQ(cross.samples, 380);
  EXPECT_EQ(cross.xy, whole.xy);
  EXPECT_EQ(cross.yy, whole.yy);
  EXPECT_EQ(cross.squares, whole.squares);
  EXPECT_EQ(cross.xx.size() + cross.energies.size(), 0);
  const Scales scales = scales_of(whole);
  TrialStatistics sum = standardised(cross, scales);
  EXPECT_EQ(sum.xy, standardised(whole, scales).xy);
  sum += sum;
  EXPECT_EQ(sum.samples, 760);
}

TEST(TrialStatistics, RefuseWhatTheyCannotSumUp) {
  const DecoderLags lags = least_squares_lags(Hertz{64});
  EXPECT_EQ(lags, (DecoderLags{{0, 16}, {0, 0}}));
  const auto refused = [&](ErrorKind kind, std::initializer_list<std::string_view> words, auto change) {
    Trial trial = planted_trial();
    change(trial);
    test::expect_error(kind, words, [&] { (void)trial_statistics(trial, lags); });
  };
  refused(ErrorKind::bad_data, {"planted", "is not known"}, [](Trial& t) { t.attention.clear(); });
  refused(ErrorKind::bad_data, {"is not known"}, [](Trial& t) { t.missing = {{0, 400}}; });
  refused(ErrorKind::bad_data, {"channel C2", "sample 8"}, [](Trial& t) { t.eeg(7, 1) = std::nan(""); });
  refused(ErrorKind::bad_data, {"stimulus holds values that are not numbers"},
          [](Trial& t) { t.stimuli[0](7, 0) = std::nan(""); });
  refused(ErrorKind::bad_data, {"speaker right", "300 samples"}, [](Trial& t) { t.stimuli[1] = Matrix(300, 1); });
  refused(ErrorKind::bad_data, {"attention is on speaker 3", "there are 2"},
          [](Trial& t) { t.attention[0].speaker = 2; });
  refused(ErrorKind::bad_data, {"label of attention"}, [](Trial& t) { t.attention[0].samples.count = 401; });
  refused(ErrorKind::bad_data, {"missing samples"}, [](Trial& t) { t.missing = {{-1, 4}}; });
  refused(ErrorKind::bad_data, {"channel names"}, [](Trial& t) { t.channels.pop_back(); });
  refused(ErrorKind::bad_data, {"names for 2 speakers"}, [](Trial& t) { t.speakers.pop_back(); });
  refused(ErrorKind::bad_data, {"no speaker"}, [](Trial& t) { t.stimuli.clear(); });
  refused(ErrorKind::bad_data, {"no EEG"}, [](Trial& t) { t.eeg = Matrix(0, 4); });
  refused(ErrorKind::bad_data, {"sampling frequency"}, [](Trial& t) { t.sampling_frequency = Hertz{0}; });
  const Trial brief = planted_trial({.samples = 17});
  test::expect_error(ErrorKind::bad_data, {"17 samples", "shorter lags"}, [&] { (void)trial_statistics(brief, lags); });
  test::expect_error(ErrorKind::invalid_argument, {"before the first"}, [&] {
    (void)trial_statistics(brief, {{3, 1}, {0, 0}});
  });
}

TEST(TrialStatistics, NameFlatChannelsThatHaveNoScale) {
  Trial trial = planted_trial();
  trial.eeg.col(1).setZero();
  trial.eeg.col(3).setZero();
  const TrialStatistics flat = trial_statistics(trial, {{0, 1}, {0, 0}});
  test::expect_error(ErrorKind::bad_data, {"channel 2, 4", "flat"}, [&] { (void)scales_of(flat); });
}

}  // namespace
}  // namespace heed::decode
