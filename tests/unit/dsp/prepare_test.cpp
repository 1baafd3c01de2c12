// SPDX-License-Identifier: MIT
// The whole way of EEG and envelopes: against scipy, in any chunks the same bits, and no window of invented data.
#include <dsp/prepare.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/allocation_counter.h"
#include "support/dsp_matrices.h"
#include "support/expect_error.h"
#include "support/prepare_cases.h"
#include "support/python_files.h"

namespace heed::dsp {
namespace {

using test::both_targets;
using test::causal_preprocessing;
using test::eeg_recording;
using test::eeg_source;
using test::expect_error;
using test::noise;
using test::read_matrix;
using test::relative_error;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

PreparedEeg in_chunks(const Preprocessing& preprocessing, const EegSource& from, const SampleMatrix& samples,
                      Index chunk) {
  EegPreparer preparer(preprocessing, from);
  test::in_chunks(samples.rows(), chunk,
                  [&](Index first, Index count) { preparer.push(samples.middleRows(first, count)); });
  return preparer.finish();
}

class PreparedByScipy : public test::PythonFiles {};

TEST_F(PreparedByScipy, EqualsBothModes) {
  make("dsp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  const SampleMatrix raw = read_matrix(file("eeg_raw.txt")).cast<float>();
  const PreparedEeg zero_phase = prepare_eeg({}, eeg_source(6), raw);
  EXPECT_LE(relative_error(zero_phase.values, read_matrix(file("eeg_zero_phase.txt"))), 1e-9);
  EXPECT_LE(relative_error(prepare_eeg(causal_preprocessing(), eeg_source(6), raw).values,
                           read_matrix(file("eeg_causal.txt"))),
            1e-9);
  EXPECT_TRUE(zero_phase.missing.empty());
  EXPECT_EQ(zero_phase.values.rows(), 626);
  EXPECT_EQ(zero_phase.channels, eeg_source(6).channels);
}

TEST_F(PreparedByScipy, AnEnvelopeAndItsOnsetInBothModes) {
  make("dsp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  Preprocessing preprocessing{.low = {0.5}, .targets = both_targets};
  const Matrix given = read_matrix(file("targets_given.txt"));
  EXPECT_LE(relative_error(prepare_envelope(preprocessing, given, {100}), read_matrix(file("targets_zero_phase.txt"))),
            1e-9);
  preprocessing.filters = FilterMode::causal;
  EXPECT_LE(relative_error(prepare_envelope(preprocessing, given, {100}), read_matrix(file("targets_causal.txt"))),
            1e-9);
}

TEST(EegPreparer, GivesTheSameBitsInAnyChunks) {
  SampleMatrix samples = eeg_recording(2000, 4);
  samples.block(700, 1, 30, 1).setConstant(nan);
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    const Preprocessing preprocessing{.filters = mode, .clip = 3};
    const PreparedEeg expected = prepare_eeg(preprocessing, eeg_source(4), samples);
    for (const Index chunk : {1, 7, 64, 1000}) {
      const PreparedEeg actual = in_chunks(preprocessing, eeg_source(4), samples, chunk);
      EXPECT_EQ(actual.values, expected.values) << chunk;
      EXPECT_EQ(actual.missing, expected.missing) << chunk;
      EXPECT_EQ(actual.clipped, expected.clipped) << chunk;
    }
  }
}

// Those that have everything but the band in common, those that do not, and the first again.
TEST(EegInWays, GivesTheBitsOfEachWayAlone) {
  SampleMatrix samples = eeg_recording(2000, 4);
  samples.block(700, 1, 30, 1).setConstant(nan);
  EegInWays eeg(eeg_source(4), samples);
  const std::vector<Preprocessing> ways{{},
                                        {.low = {0.5}, .targets = both_targets},
                                        {.filters = FilterMode::causal},
                                        {.clip = 3},
                                        {.sampling_frequency = {32}},
                                        {.reference = {ReferenceKind::none, {}}},
                                        {}};
  for (const Preprocessing& way : ways) {
    const PreparedEeg expected = prepare_eeg(way, eeg_source(4), samples);
    const PreparedEeg actual = eeg.prepare(way);
    EXPECT_EQ(actual.channels, expected.channels);
    EXPECT_EQ(actual.values, expected.values);
    EXPECT_EQ(actual.missing, expected.missing);
    EXPECT_EQ(actual.clip_deviations, expected.clip_deviations);
    EXPECT_EQ(actual.clipped, expected.clipped);
  }
}

// A way that cannot be had leaves the others as they are.
TEST(EegInWays, RefusesAsOneWayDoes) {
  const SampleMatrix samples = eeg_recording(2000, 4);
  EegInWays eeg(eeg_source(4), samples);
  expect_error(ErrorKind::invalid_argument, {"19 Hz"}, [&] { (void)eeg.prepare({.sampling_frequency = {19}}); });
  expect_error(ErrorKind::unsupported, {"at most"}, [&] { (void)eeg.prepare({.sampling_frequency = {4000}}); });
  EXPECT_EQ(eeg.prepare({}).values, prepare_eeg({}, eeg_source(4), samples).values);
}

// A slow bump of a 3 Hz tone: its envelope leaves the band-pass later by the group delay.
TEST(CausalDelay, IsThatOfATone) {
  const Matrix tone = Matrix::NullaryExpr(1280, 1, [](Index t, Index) {
    const double time = (static_cast<double>(t) - 640) / 64;
    return std::cos(2 * std::numbers::pi * 3 * time) * std::exp(-time * time / 2);
  });
  const Matrix late = prepare_envelope(causal_preprocessing(), tone, {64});
  const auto centre = [](const Matrix& x) {
    const Eigen::ArrayXd power = x.col(0).array().square();
    return (power * Eigen::ArrayXd::LinSpaced(1280, 0, 1279)).sum() / power.sum() / 64;
  };
  EXPECT_NEAR(centre(late) - centre(tone), causal_delay(causal_preprocessing(), {64}).band_pass.value, 2e-3);
}

TEST(Dropouts, AreMissingAsFarAsTheResamplerReaches) {
  SampleMatrix samples = eeg_recording(4096, 4);
  samples.block(2048, 2, 8, 1).setConstant(nan);
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    const PreparedEeg eeg = prepare_eeg({.filters = mode}, eeg_source(4), samples);
    ASSERT_EQ(eeg.missing.size(), 1U);
    // Output 256 is at input 2048; ten rows on either side look at some of the eight.
    EXPECT_EQ(eeg.missing[0], (SampleRange{246, 21}));
    EXPECT_TRUE(eeg.values.allFinite());
  }
}

// What the missing samples were changes nothing but the rows that are said to be missing (and, through the band-pass,
// what comes after a bridge that differs from the truth).
TEST(Dropouts, TellNothingOfWhatWasThere) {
  SampleMatrix samples = eeg_recording(4096, 4);
  samples.middleRows(1000, 50).setConstant(nan);
  const PreparedEeg expected = prepare_eeg({}, eeg_source(4), samples);
  samples.middleRows(1000, 50).setConstant(std::numeric_limits<float>::infinity());
  EXPECT_EQ(prepare_eeg({}, eeg_source(4), samples).values, expected.values);
}

TEST(Dropouts, AreBridgedWithoutAStep) {
  // A steep drift with a gap of a second: a held value would jump by 5e4.
  SampleMatrix samples =
      SampleMatrix::NullaryExpr(6144, 2, [](Index t, Index c) { return c == 0 ? static_cast<float>(100 * t) : 0.0F; });
  samples.middleRows(3072, 512).setConstant(nan);
  const Preprocessing preprocessing{.reference = {ReferenceKind::none, {}}};
  const PreparedEeg eeg = prepare_eeg(preprocessing, eeg_source(2), samples);
  EXPECT_LE(eeg.values.middleRows(256, 320).cwiseAbs().maxCoeff(), 5);
  Preprocessing live_way = preprocessing;
  live_way.filters = FilterMode::causal;
  EXPECT_GT(prepare_eeg(live_way, eeg_source(2), samples).values.middleRows(256, 320).cwiseAbs().maxCoeff(), 1000);
}

TEST(Dropouts, AtTheEndsAndEverywhere) {
  SampleMatrix samples = eeg_recording(2048, 4);
  samples.topRows(200).setConstant(nan);
  samples.bottomRows(100).setConstant(nan);
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    const PreparedEeg eeg = prepare_eeg({.filters = mode}, eeg_source(4), samples);
    ASSERT_EQ(eeg.missing.size(), 2U);
    EXPECT_EQ(eeg.missing[0].first, 0);
    EXPECT_EQ(eeg.missing[1].first + eeg.missing[1].count, 256);
    EXPECT_LE(eeg.values.cwiseAbs().maxCoeff(), 100);  // offsets of 10000 make no step
    const PreparedEeg nothing = prepare_eeg({.filters = mode}, eeg_source(4), SampleMatrix::Constant(1000, 4, nan));
    EXPECT_EQ(nothing.missing, (std::vector<SampleRange>{{0, 125}}));
    EXPECT_EQ(nothing.values.cwiseAbs().maxCoeff(), 0);
  }
}

TEST(BadChannelsPrepared, AreDroppedOrInterpolated) {
  SampleMatrix samples = eeg_recording(1024, 8);
  samples.col(1).setConstant(nan);
  EegSource from = eeg_source(8);
  from.bad = {"cz"};
  const PreparedEeg dropped = prepare_eeg({}, from, samples);
  EXPECT_EQ(dropped.channels, (std::vector<std::string>{"Fz", "Pz", "C3", "C4", "Oz", "F3", "F4"}));
  EXPECT_EQ(dropped.values.cols(), 7);
  EXPECT_TRUE(dropped.missing.empty());
  const PreparedEeg kept = prepare_eeg({.bad_channels = BadChannels::interpolate}, from, samples);
  EXPECT_EQ(kept.channels, from.channels);
  EXPECT_TRUE(kept.missing.empty());
  EXPECT_GT(kept.values.col(1).cwiseAbs().maxCoeff(), 0);
  EXPECT_LE(kept.values.rowwise().sum().cwiseAbs().maxCoeff(), 1e-9);  // interpolated before the average reference
}

TEST(EegPreparer, ClipsByItsOwnDeviations) {
  SampleMatrix samples = eeg_recording(10240, 3);
  samples.middleRows(5120, 256).array() += 5000;
  const PreparedEeg eeg = prepare_eeg({.reference = {ReferenceKind::none, {}}, .clip = 4}, eeg_source(3), samples);
  ASSERT_EQ(eeg.clip_deviations.size(), 3);
  EXPECT_GT(eeg.clipped, 10);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_DOUBLE_EQ(eeg.values.col(c).cwiseAbs().maxCoeff(), 4 * eeg.clip_deviations[c]);
  }
}

TEST(EegPreparer, HoldsOnlyTheResult) {
  const SampleMatrix chunk = eeg_recording(512, 8);
  EegPreparer preparer({}, eeg_source(8));
  const test::AllocationCount allocations;
  for (int second = 0; second < 60; ++second) preparer.push(chunk);
  // 60 s at 64 Hz are 245,760 bytes; a vector that grows holds up to three times that for a moment.
  EXPECT_LE(allocations.peak_bytes(), 3 * 245760U + 200000U);
}

TEST(Targets, StandBesideEachOtherInTheOrderAskedFor) {
  const Matrix envelope = noise(640, 2, 7).array() + 3;
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    const auto prepared = [&](const std::vector<SpeechTarget>& targets) {
      return prepare_envelope({.filters = mode, .targets = targets}, envelope, {64});
    };
    const Matrix plain = prepared({SpeechTarget::envelope});
    const Matrix onset = prepared({SpeechTarget::onset});
    const Matrix beside = prepared({SpeechTarget::onset, SpeechTarget::envelope});
    EXPECT_LE(relative_error(beside.leftCols(2), onset), 1e-12);
    EXPECT_LE(relative_error(beside.rightCols(2), plain), 1e-12);
    EXPECT_LE(relative_error(prepared(both_targets).leftCols(2), plain), 1e-12);
    EXPECT_GT(relative_error(plain, onset), 0.1);
  }
}

// Envelopes of several rates can be added between the steps; added after them, onsets would be another thing.
TEST(Targets, AreOfASumOfEnvelopes) {
  const Matrix a = noise(640, 1, 7);
  const Matrix b = noise(640, 1, 8);
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    const Preprocessing preprocessing{.filters = mode, .targets = both_targets};
    const Matrix whole = prepare_envelope(preprocessing, a + b, {64});
    const Matrix added = prepare_targets(
        preprocessing, resample_envelope(preprocessing, a, {64}) + resample_envelope(preprocessing, b, {64}));
    EXPECT_LE(relative_error(added, whole), 1e-12);
    const Matrix after = prepare_envelope(preprocessing, a, {64}) + prepare_envelope(preprocessing, b, {64});
    EXPECT_LE(relative_error(after.col(0), whole.col(0)), 1e-12);
    EXPECT_GT(relative_error(after.col(1), whole.col(1)), 0.1);
  }
}

TEST(PrepareEnvelope, TreatsEegAndEnvelopeAlike) {
  const SampleMatrix samples = eeg_recording(3000, 2);
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    const Preprocessing preprocessing{.filters = mode, .reference = {ReferenceKind::none, {}}};
    const Matrix eeg = prepare_eeg(preprocessing, eeg_source(2), samples).values;
    const Matrix envelope = prepare_envelope(preprocessing, samples.cast<double>(), {512});
    // Zero-phase resampling continues a given envelope along a line, EEG by its last value: the ends differ.
    const Index apart = mode == FilterMode::causal ? 0 : 100;
    EXPECT_LE(relative_error(eeg.middleRows(apart, 375 - 2 * apart), envelope.middleRows(apart, 375 - 2 * apart)),
              1e-3);
    if (mode == FilterMode::causal) {
      EXPECT_LE(relative_error(eeg, envelope), 1e-9);
    }
  }
}

TEST(PrepareEnvelope, OfSilenceIsZero) {
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    EXPECT_EQ(prepare_envelope({.filters = mode}, Matrix::Zero(200, 1), {64}).cwiseAbs().maxCoeff(), 0);
    EXPECT_LE(prepare_envelope({.filters = mode}, Matrix::Constant(200, 1, 5), {64}).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(PreprocessingErrors, SayWhatToDo) {
  const auto check = [](const Preprocessing& preprocessing) { return [=] { check_preprocessing(preprocessing); }; };
  const auto invalid = ErrorKind::invalid_argument;
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  check_preprocessing({});
  expect_error(invalid, {"target rate of 19 Hz", "at least 20 Hz"}, check({.sampling_frequency = {19}}));
  expect_error(invalid, {"nan"}, check({.sampling_frequency = {not_a_number}}));
  expect_error(invalid, {"upper band edge of 32", "raise the rate"}, check({.high = {32}}));
  expect_error(invalid, {"9 to 9 Hz"}, check({.low = {9}}));
  expect_error(invalid, {"0 to 9 Hz"}, check({.low = {0}}));
  expect_error(invalid, {"clipping at -1"}, check({.clip = -1}));
  expect_error(invalid, {"onset or both"}, check({.targets = {}}));
  expect_error(invalid, {"twice"}, check({.targets = {SpeechTarget::onset, SpeechTarget::onset}}));
  expect_error(invalid, {"19 Hz"},
               [] { (void)prepare_eeg({.sampling_frequency = {19}}, eeg_source(2), eeg_recording(9, 2)); });
  expect_error(invalid, {"19 Hz"}, [] { (void)prepare_envelope({.sampling_frequency = {19}}, noise(90, 1, 1), {64}); });
}

TEST(EegErrors, SayWhatToDo) {
  const SampleMatrix samples = eeg_recording(500, 2);
  EegSource all_bad = eeg_source(2);
  all_bad.bad = {"Fz", "Cz"};
  expect_error(ErrorKind::bad_data, {"every channel is bad"}, [&] { (void)prepare_eeg({}, all_bad, samples); });
  expect_error(ErrorKind::bad_data, {"no EEG channel"}, [&] { (void)prepare_eeg({}, eeg_source(0), samples); });
  EegSource unknown = eeg_source(2);
  unknown.bad = {"O9"};
  expect_error(ErrorKind::not_found, {"'O9'", "Fz Cz"}, [&] { (void)prepare_eeg({}, unknown, samples); });
  expect_error(ErrorKind::invalid_argument, {"2 channels", "of 3"},
               [&] { (void)prepare_eeg({}, eeg_source(3), samples); });
  expect_error(ErrorKind::bad_data, {"no samples"}, [&] { (void)prepare_eeg({}, eeg_source(2), SampleMatrix(0, 2)); });
  expect_error(ErrorKind::bad_data, {"too short"},
               [&] { (void)prepare_eeg({}, eeg_source(2), eeg_recording(100, 2)); });
  EXPECT_EQ(prepare_eeg(causal_preprocessing(), eeg_source(2), eeg_recording(100, 2)).values.rows(), 13);
  EegSource deviations = eeg_source(2);
  deviations.clip_deviations = Eigen::VectorXd::Ones(5);
  expect_error(ErrorKind::invalid_argument, {"5 deviations", "2 channels"},
               [&] { (void)prepare_eeg({.clip = 3}, deviations, samples); });
  expect_error(ErrorKind::unsupported, {"ratio"}, [&] { (void)prepare_eeg({}, eeg_source(2, 512.0130001), samples); });
}

}  // namespace
}  // namespace heed::dsp
