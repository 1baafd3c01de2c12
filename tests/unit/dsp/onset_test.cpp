// SPDX-License-Identifier: MIT
// Onsets against scipy to 1e-9, in any chunks the same bits, and where a sound rises is where they are.
#include <dsp/onset.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/allocation_counter.h"
#include "support/dsp_matrices.h"
#include "support/expect_error.h"
#include "support/python_files.h"

namespace heed::dsp {
namespace {

using test::expect_error;
using test::noise;
using test::read_matrix;
using test::relative_error;

constexpr Hertz rate{64};

Matrix streamed(const Matrix& envelope, Index chunk, Hertz sampled = rate) {
  OnsetFilter filter(sampled, envelope.cols());
  Matrix all(envelope.rows(), envelope.cols());
  Index written = 0;
  const auto room = [&] { return data::view(all).middle_rows(written, all.rows() - written); };
  test::in_chunks(envelope.rows(), chunk, [&](Index first, Index count) {
    const Index ready = filter.ready(count);
    const Index came = filter.push(data::view(envelope).middle_rows(first, count), room());
    EXPECT_EQ(came, ready);
    written += came;
  });
  EXPECT_EQ(written + filter.remaining(), envelope.rows());
  written += filter.finish(room());
  EXPECT_EQ(written, envelope.rows());
  EXPECT_EQ(filter.remaining(), 0);
  return all;
}

// Silence, a rise of 100 ms, a second of sound, a fall.
Matrix syllable(Index samples = 256) {
  return Matrix::NullaryExpr(samples, 1, [](Index t, Index) {
    const double time = static_cast<double>(t) / 64;
    const double up = 1 / (1 + std::exp(-(time - 1) / 0.02));
    const double down = 1 / (1 + std::exp((time - 2) / 0.02));
    return up * down;
  });
}

Index peak(const Matrix& values) {
  Index row = 0;
  values.col(0).maxCoeff(&row);
  return row;
}

class OnsetsByScipy : public test::PythonFiles {};

TEST_F(OnsetsByScipy, AreTheSameInBothModesAtSeveralRates) {
  make("dsp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  const Matrix rates = read_matrix(file("onset_rates.txt"));
  ASSERT_EQ(rates.rows(), 4);
  for (Index k = 0; k < rates.rows(); ++k) {
    const Hertz sampled{rates(k, 0)};
    const std::string name = "onset_" + std::to_string(k);
    const Matrix input = read_matrix(file(name + "_input.txt"));
    EXPECT_LE(relative_error(onsets(input, sampled), read_matrix(file(name + "_zero_phase.txt"))), 1e-9) << name;
    EXPECT_LE(relative_error(streamed(input, 10, sampled), read_matrix(file(name + "_causal.txt"))), 1e-9) << name;
    EXPECT_EQ(OnsetFilter(sampled, 1).waiting(), static_cast<Index>(rates(k, 1)) + 1) << name;
  }
}

TEST(Onsets, AreWhereTheSoundRises) {
  const Matrix zero_phase = onsets(syllable(), rate);
  EXPECT_EQ(peak(zero_phase), 64);
  EXPECT_GT(zero_phase(64, 0), 10 * zero_phase.middleRows(100, 156).maxCoeff()) << "nothing where it falls";
  // A stream stands at the same place: the smoothing's delay, 1.7 samples, is taken off as two.
  EXPECT_NEAR(static_cast<double>(peak(streamed(syllable(), 7))), 64, 1);
}

TEST(Onsets, AreNotNegativeAndDoNotKnowHowLoudASoundIsAtRest) {
  const Matrix envelope = noise(500, 2, 3);
  EXPECT_GE(onsets(envelope, rate).minCoeff(), 0);
  EXPECT_GE(streamed(envelope, 500).minCoeff(), 0);
  const Matrix louder = envelope.array() + 1000;
  EXPECT_LE(relative_error(onsets(louder, rate), onsets(envelope, rate)), 1e-10);
  EXPECT_LE(relative_error(streamed(louder, 500), streamed(envelope, 500)), 1e-10);
}

TEST(Onsets, ScaleWithTheSound) {
  const Matrix envelope = noise(500, 1, 3);
  EXPECT_LE(relative_error(onsets(8 * envelope, rate), 8 * onsets(envelope, rate)), 1e-13);
}

TEST(Onsets, OfARampAreItsSlope) {
  const Matrix ramp = Matrix::NullaryExpr(200, 1, [](Index t, Index) { return 3.0 * static_cast<double>(t); });
  EXPECT_LE((onsets(ramp, rate).middleRows(50, 100).array() - 3).abs().maxCoeff(), 1e-9);
  EXPECT_LE((onsets(ramp, rate).array() - 3).abs().maxCoeff(), 0.03)
      << "at the ends nearly: the smoothing starts there";
  EXPECT_LE((streamed(ramp, 9).middleRows(100, 90).array() - 3).abs().maxCoeff(), 1e-9);
  EXPECT_EQ(onsets(-ramp, rate).cwiseAbs().maxCoeff(), 0);
}

TEST(Onsets, OfAConstantAreNothing) {
  const Matrix constant = Matrix::Constant(100, 1, 7);
  EXPECT_LE(onsets(constant, rate).maxCoeff(), 1e-13);
  EXPECT_LE(streamed(constant, 3).maxCoeff(), 1e-13) << "no onset where a stream begins or ends";
}

TEST(OnsetFilter, GivesTheSameBitsInAnyChunks) {
  const Matrix envelope = noise(301, 3, 9);
  const Matrix expected = streamed(envelope, 301);
  for (const Index chunk : {1, 2, 3, 64, 300}) EXPECT_EQ(streamed(envelope, chunk), expected) << chunk;
}

TEST(OnsetFilter, TreatsColumnsAlone) {
  const Matrix envelope = noise(200, 3, 9);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_LE(relative_error(streamed(envelope, 50).col(c), streamed(envelope.col(c), 50)), 1e-12);
  }
}

TEST(OnsetFilter, IsAsLateAsItSays) {
  OnsetFilter filter(rate, 1);
  EXPECT_EQ(filter.waiting(), 3);
  EXPECT_DOUBLE_EQ(filter.delay().value, 3.0 / 64);
  const Matrix envelope = noise(4, 1, 2);
  Matrix out(4, 1);
  EXPECT_EQ(filter.push(data::view(envelope).middle_rows(0, 3), data::view(out)), 0);
  EXPECT_EQ(filter.push(data::view(envelope).middle_rows(3, 1), data::view(out)), 1);
}

TEST(OnsetFilter, OfStreamsShorterThanItsDelay) {
  for (const Index rows : {0, 1, 2, 3}) EXPECT_EQ(streamed(noise(rows, 2, 2), 1).rows(), rows);
}

TEST(OnsetFilter, NeverAllocates) {
  const Matrix envelope = noise(100, 2, 2);
  Matrix out(100, 2);
  OnsetFilter filter(rate, 2);
  const test::AllocationCount allocations;
  const Index came = filter.push(data::view(envelope), data::view(out));
  filter.finish(data::view(out).middle_rows(came, 100 - came));
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(OnsetErrors, SayWhatToDo) {
  expect_error(ErrorKind::bad_data, {"9 samples", "too short"}, [] { (void)onsets(noise(9, 1, 1), rate); });
  expect_error(ErrorKind::invalid_argument, {"8"}, [] { (void)onsets(noise(90, 1, 1), {16}); });
  expect_error(ErrorKind::invalid_argument, {"8"}, [] { OnsetFilter filter({16}, 1); });
}

}  // namespace
}  // namespace heed::dsp
