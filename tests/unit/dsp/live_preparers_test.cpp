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

SampleView view(const SampleMatrix& samples, Index first, Index count) {
  return {samples.data() + (first * samples.cols()), count, samples.cols(), samples.cols()};
}

// In chunks, by a preparer that was used before.
EegRows live(const Preprocessing& preprocessing, const EegSource& from, const SampleMatrix& samples, Index chunk) {
  LiveEegPreparer preparer(preprocessing, from);
  EegRows rows;
  preparer.push(view(samples, 10, 300), rows);
  preparer.reset();
  rows = {};
  test::in_chunks(samples.rows(), chunk,
                  [&](Index first, Index count) { preparer.push(view(samples, first, count), rows); });
  preparer.finish(rows);
  return rows;
}

Matrix matrix_of(const std::vector<double>& values, Index columns) {
  return Eigen::Map<const Matrix>(values.data(), std::ssize(values) / columns, columns);
}

TEST(LiveEegPreparer, IsTheCausalModeBitForBit) {
  SampleMatrix samples = eeg_recording(2000, 4);
  samples.block(700, 1, 30, 1).setConstant(nan);
  samples.topLeftCorner(100, 1).setConstant(nan);
  Preprocessing preprocessing = causal_preprocessing();
  preprocessing.clip = 2;
  EegSource from = eeg_source(4);
  from.bad = {"Pz"};
  from.clip_deviations = Eigen::Vector3d(4, 5, 6);
  const PreparedEeg expected = prepare_eeg(preprocessing, from, samples);
  EXPECT_GT(expected.clipped, 0);
  for (const Index chunk : {1, 7, 64, 1000}) {
    const EegRows actual = live(preprocessing, from, samples, chunk);
    EXPECT_EQ(matrix_of(actual.values, 3), expected.values) << chunk;
    std::vector<bool> missing(static_cast<std::size_t>(expected.values.rows()));
    for (const SampleRange& range : expected.missing) {
      for (Index t = range.first; t < range.first + range.count; ++t) missing[static_cast<std::size_t>(t)] = true;
    }
    EXPECT_EQ(actual.missing, missing) << chunk;
  }
}

TEST(LiveEegPreparer, IsAsLateAsItSays) {
  const CausalDelay delay = causal_delay(causal_preprocessing(), {512});
  EXPECT_DOUBLE_EQ(delay.resampling.value, 10.0 / 64);
  EXPECT_GT(delay.band_pass.value, 0.01);
  EXPECT_LT(delay.band_pass.value, 0.1);
  EXPECT_DOUBLE_EQ(delay.total().value, delay.resampling.value + delay.band_pass.value);
  EXPECT_DOUBLE_EQ(delay.onset.value, 0);
  EXPECT_DOUBLE_EQ(causal_delay({.targets = both_targets}, {512}).onset.value, 3.0 / 64);
  EXPECT_DOUBLE_EQ(causal_delay(causal_preprocessing(), {64}).resampling.value, 0);
  LiveEegPreparer preparer(causal_preprocessing(), eeg_source(4));
  EegRows rows;
  const SampleMatrix samples = eeg_recording(89, 4);
  preparer.push(view(samples, 0, 80), rows);
  EXPECT_EQ(rows.missing.size(), 0U);
  preparer.push(view(samples, 80, 1), rows);
  EXPECT_EQ(rows.missing.size(), 1U);
  preparer.push(view(samples, 81, 8), rows);
  EXPECT_EQ(rows.missing.size(), 2U);
}

TEST(LiveEegPreparer, AllocatesNothingOnceItIsMade) {
  SampleMatrix samples = eeg_recording(1000, 4);
  for (Index t = 0; t < 1000; t += 2) samples(t, 1) = nan;
  LiveEegPreparer preparer(causal_preprocessing(), eeg_source(4));
  EegRows rows;
  rows.values.reserve(10000);
  rows.missing.reserve(10000);
  const test::AllocationCount allocations;
  preparer.push(view(samples, 0, 400), rows);
  preparer.push(view(samples, 400, 600), rows);
  preparer.finish(rows);
  preparer.reset();
  preparer.push(view(samples, 0, 1000), rows);
  EXPECT_EQ(allocations.so_far(), 0U);
}

// In chunks, by a preparer that was used before.
Matrix live_envelope(const Preprocessing& preprocessing, const Matrix& envelope, Hertz rate, Index chunk) {
  LiveEnvelopePreparer stream(preprocessing, {&rate, 1}, envelope.cols());
  std::vector<double> targets;
  stream.push(0, data::view(envelope).middle_rows(5, 200), targets);
  stream.reset();
  targets.clear();
  test::in_chunks(envelope.rows(), chunk, [&](Index first, Index count) {
    stream.push(0, data::view(envelope).middle_rows(first, count), targets);
  });
  stream.finish(0, targets);
  return matrix_of(targets, envelope.cols() * std::ssize(preprocessing.targets));
}

TEST(PrepareEnvelope, IsTheSameBitsInAnyChunksWhenCausal) {
  const Matrix envelope = noise(1500, 2, 7).array() + 3;
  for (const auto& targets : {std::vector{SpeechTarget::envelope}, std::vector{SpeechTarget::onset}, both_targets}) {
    Preprocessing preprocessing = causal_preprocessing();
    preprocessing.targets = targets;
    const Matrix expected = prepare_envelope(preprocessing, envelope, {500});
    EXPECT_EQ(expected.rows(), 192);
    EXPECT_EQ(expected.cols(), 2 * std::ssize(targets));
    for (const Index chunk : {1, 7, 64, 1000}) {
      EXPECT_EQ(live_envelope(preprocessing, envelope, {500}, chunk), expected) << chunk;
    }
  }
}

TEST(LiveEnvelopePreparer, IsAsLateAsItsOnsets) {
  Preprocessing preprocessing = causal_preprocessing();
  preprocessing.targets = both_targets;
  const Hertz rate{64};
  LiveEnvelopePreparer preparer(preprocessing, {&rate, 1}, 1);
  const auto wait = static_cast<Index>(64 * causal_delay(preprocessing, {64}).onset.value);
  const Matrix envelope = noise(wait + 5, 1, 1);
  std::vector<double> targets;
  const auto rows = [&] { return std::ssize(targets) / 2; };
  preparer.push(0, data::view(envelope).middle_rows(0, wait), targets);
  EXPECT_EQ(rows(), 0);
  preparer.push(0, data::view(envelope).middle_rows(wait, 5), targets);
  EXPECT_EQ(rows(), 5);
  preparer.push(0, data::view(envelope).middle_rows(0, 0), targets);
  EXPECT_EQ(rows(), 5);
  preparer.finish(0, targets);
  EXPECT_EQ(rows(), wait + 5);
}

// As offline: resampled, added, what is over is silent, then the targets of the sum.
TEST(LiveEnvelopePreparer, AddsFeedsOfSeveralRatesInAnyOrder) {
  Preprocessing preprocessing = causal_preprocessing();
  preprocessing.targets = both_targets;
  const std::vector<Hertz> rates{{100}, {64}, {500}};
  const std::vector<Matrix> feeds{noise(1000, 1, 1), noise(500, 1, 2), noise(4000, 1, 3)};
  Matrix sum = Matrix::Zero(640, 1);
  for (std::size_t k = 0; k < feeds.size(); ++k) {
    const Matrix part = resample_envelope(preprocessing, feeds[k], rates[k]);
    sum.topRows(part.rows()) += part;
  }
  const Matrix expected = prepare_targets(preprocessing, sum);
  for (const Index chunk : {1, 33, 5000}) {
    LiveEnvelopePreparer preparer(preprocessing, rates, 1);
    std::vector<double> targets;
    for (const std::size_t k : {2U, 0U, 1U}) {
      test::in_chunks(feeds[k].rows(), chunk, [&](Index first, Index count) {
        preparer.push(k, data::view(feeds[k]).middle_rows(first, count), targets);
      });
      preparer.finish(k, targets);
    }
    EXPECT_EQ(matrix_of(targets, 2), expected) << chunk;
  }
}

TEST(LiveEnvelopePreparer, AllocatesNothingOnceItIsMade) {
  Preprocessing preprocessing = causal_preprocessing();
  preprocessing.targets = both_targets;
  const std::vector<Hertz> rates{{100}, {64}};
  const Matrix envelope = noise(1000, 1, 1);
  LiveEnvelopePreparer preparer(preprocessing, rates, 1);
  std::vector<double> targets;
  targets.reserve(10000);
  const test::AllocationCount allocations;
  for (Index t = 0; t < 1000; t += 10) {
    preparer.push(0, data::view(envelope).middle_rows(t, 10), targets);
    preparer.push(1, data::view(envelope).middle_rows(t, 7), targets);
  }
  preparer.finish(0, targets);
  preparer.finish(1, targets);
  preparer.reset();
  preparer.push(0, data::view(envelope).middle_rows(0, 300), targets);
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(LiveErrors, SayWhatToDo) {
  const auto invalid = ErrorKind::invalid_argument;
  expect_error(invalid, {"causal"}, [] { LiveEegPreparer preparer({}, eeg_source(2)); });
  Preprocessing clipping = causal_preprocessing();
  clipping.clip = 3;
  expect_error(invalid, {"training data"}, [&] { LiveEegPreparer preparer(clipping, eeg_source(2)); });
  LiveEegPreparer preparer(causal_preprocessing(), eeg_source(2));
  expect_error(invalid, {"3 channels", "of 2"}, [&] {
    EegRows rows;
    preparer.push(view(eeg_recording(5, 3), 0, 5), rows);
  });
  const Hertz rate{64};
  std::vector<double> targets;
  LiveEnvelopePreparer envelope(causal_preprocessing(), {&rate, 1}, 1);
  expect_error(invalid, {"2 columns", "of 1"}, [&] { envelope.push(0, data::view(noise(5, 2, 1)), targets); });
  const Matrix broken = Matrix::Constant(3, 1, std::numeric_limits<double>::infinity());
  expect_error(ErrorKind::bad_data, {"not finite"}, [&] { envelope.push(0, data::view(broken), targets); });
  expect_error(ErrorKind::bad_data, {"not finite"}, [&] { (void)prepare_envelope({}, broken, {64}); });
  expect_error(ErrorKind::bad_data, {"no samples"}, [&] { (void)prepare_envelope({}, Matrix(0, 1), {64}); });
}

}  // namespace
}  // namespace heed::dsp
