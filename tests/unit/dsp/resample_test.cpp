// SPDX-License-Identifier: MIT
// Resampling against scipy's resample_poly to 1e-9; a stream gives the same bits in any chunks.
#include <dsp/resample.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

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

class Resampling : public test::PythonFiles {};

// Pushed in chunks, rows gathered as they come.
template <typename Values>
Matrix streamed(const Values& input, RateRatio ratio, Index chunk) {
  Resampler resampler(ratio, input.cols());
  Matrix out((input.rows() * ratio.up + ratio.down - 1) / ratio.down, input.cols());
  MutableMatrixView left = data::view(out);
  test::in_chunks(input.rows(), chunk, [&](Index first, Index count) {
    const Index ready = resampler.ready(count);
    const data::BasicMatrixView<const typename Values::Scalar> part{input.data() + (first * input.cols()), count,
                                                                    input.cols(), input.cols()};
    EXPECT_EQ(resampler.push(part, left.middle_rows(0, ready)), ready);
    left = left.middle_rows(ready, left.rows - ready);
  });
  EXPECT_EQ(resampler.remaining(), left.rows);
  EXPECT_EQ(resampler.finish(left), left.rows);
  return out;
}

TEST_F(Resampling, EqualsScipy) {
  make("dsp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  const Matrix ratios = read_matrix(file("ratios.txt"));
  ASSERT_EQ(ratios.rows(), 10);
  for (Index k = 0; k < ratios.rows(); ++k) {
    const std::string name = "ratio_" + std::to_string(k);
    const auto up = static_cast<Index>(ratios(k, 0));
    const auto down = static_cast<Index>(ratios(k, 1));
    const RateRatio ratio = rate_ratio({static_cast<double>(down)}, {static_cast<double>(up)});
    const Matrix input = read_matrix(file(name + "_input.txt"));
    EXPECT_LE(relative_error(resample(input, ratio), read_matrix(file(name + "_line.txt"))), 1e-9) << name;
    EXPECT_LE(relative_error(resample_causal(input, ratio), read_matrix(file(name + "_edge.txt"))), 1e-9) << name;
  }
}

TEST(Resampler, GivesTheSameBitsInAnyChunks) {
  for (const RateRatio ratio : {RateRatio{1, 8}, {16, 125}, {3, 2}, {1, 1}, {5, 1}}) {
    for (const Index channels : {1, 3, 64}) {
      const Matrix input = noise(1003, channels, 8);
      const Matrix expected = resample_causal(input, ratio);
      for (const Index chunk : {1, 7, 64, 1000}) EXPECT_EQ(streamed(input, ratio, chunk), expected) << chunk;
    }
  }
}

TEST(Resampler, TakesSinglePrecisionSamplesAsTheyAre) {
  const SampleMatrix input = noise(700, 9, 9).cast<float>();
  EXPECT_EQ(streamed(input, {1, 8}, 50), resample_causal(input.cast<double>(), {1, 8}));
  const SampleMatrix one = noise(700, 1, 9).cast<float>();
  EXPECT_EQ(streamed(one, {16, 125}, 50), resample_causal(one.cast<double>(), {16, 125}));
}

// A row comes when its last input row has, and says nothing about later ones.
TEST(Resampler, LooksNoFurtherThanItSays) {
  for (const RateRatio ratio : {RateRatio{1, 8}, {16, 125}, {3, 2}}) {
    const Matrix input = noise(600, 1, 10);
    const Matrix whole = resample_causal(input, ratio);
    Resampler resampler(ratio, 1);
    for (const Index k : {Index{0}, Index{5}, whole.rows() / 2}) {
      const Index last = resampler.last_needed(k);
      EXPECT_EQ(resampler.ready(last), k);
      EXPECT_GE(resampler.ready(last + 1), k + 1);
      const double own_time = static_cast<double>(k * ratio.down) / static_cast<double>(ratio.up);
      EXPECT_LE(static_cast<double>(last) - own_time, resampler.reach());
      EXPECT_LE(own_time - static_cast<double>(resampler.first_needed(k)), resampler.reach());
      Matrix changed = input;
      changed.bottomRows(input.rows() - last - 1).array() += 5;
      EXPECT_EQ(resample_causal(changed, ratio)(k, 0), whole(k, 0));
      if (resampler.first_needed(k) > 0) {
        changed = input;
        changed.row(resampler.first_needed(k) - 1).array() += 5;
        EXPECT_EQ(resample_causal(changed, ratio)(k, 0), whole(k, 0));
      }
    }
  }
}

TEST(Resampler, ReachesTenSamplesOfTheLowerRate) {
  EXPECT_DOUBLE_EQ(Resampler({1, 8}, 1).reach() / 8, 10);
  EXPECT_DOUBLE_EQ(Resampler({16, 11025}, 1).reach() * 16 / 11025, 10);
  EXPECT_DOUBLE_EQ(Resampler({5, 1}, 1).reach(), 10);
  EXPECT_DOUBLE_EQ(Resampler({1, 1}, 1).reach(), 0);
}

TEST(Resampler, KeepsConstantsAndSlowSinesWhereTheyAre) {
  const Matrix constant = Matrix::Constant(1000, 2, -7e4);
  EXPECT_LE((resample_causal(constant, {1, 8}).array() + 7e4).abs().maxCoeff(), 1e-8);
  const auto sine = [](double rate, Index samples) {
    return Matrix(Matrix::NullaryExpr(samples, 1, [&](Index t, Index) {
      return std::sin(2 * std::numbers::pi * 5 * static_cast<double>(t) / rate);
    }));
  };
  const Matrix out = resample_causal(sine(500, 2000), {16, 125});
  EXPECT_LE((out - sine(64, 256)).middleRows(12, 230).cwiseAbs().maxCoeff(), 1e-3);
  // Above half of the new rate nothing is left.
  const Matrix high = Matrix::NullaryExpr(
      4096, 1, [](Index t, Index) { return std::sin(2 * std::numbers::pi * 60 * static_cast<double>(t) / 512); });
  EXPECT_LE(resample_causal(high, {1, 8}).middleRows(12, 480).cwiseAbs().maxCoeff(), 1e-2);
}

TEST(Resampler, NeverAllocatesWhileItRuns) {
  Resampler resampler({1, 8}, 64);
  const SampleMatrix input = noise(512, 64, 11).cast<float>();
  Matrix out(64, 64);
  const test::AllocationCount allocations;
  resampler.push(SampleView{input.data(), 512, 64, 64}, data::view(out));
  resampler.finish(data::view(out));
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(Resampler, HandlesEmptyAndShortSignals) {
  EXPECT_EQ(resample(Matrix(0, 2), {1, 8}).rows(), 0);
  EXPECT_EQ(resample_causal(Matrix(0, 2), {1, 8}).rows(), 0);
  EXPECT_NEAR(resample_causal(Matrix::Constant(1, 1, 4), {1, 8})(0, 0), 4, 1e-12);
  EXPECT_EQ(streamed(Matrix(noise(3, 2, 12)), {1, 8}, 1).rows(), 1);
}

TEST(RateRatio, IsInLowestTerms) {
  const auto ratio = [](double from, double to) { return rate_ratio({from}, {to}); };
  EXPECT_EQ(ratio(44100, 64), (RateRatio{16, 11025}));
  EXPECT_EQ(ratio(512, 64), (RateRatio{1, 8}));
  EXPECT_EQ(ratio(128, 64), (RateRatio{1, 2}));
  EXPECT_EQ(ratio(500, 64), (RateRatio{16, 125}));
  EXPECT_EQ(ratio(2048, 64), (RateRatio{1, 32}));
  EXPECT_EQ(ratio(48000, 64), (RateRatio{1, 750}));
  EXPECT_EQ(ratio(64, 64), (RateRatio{1, 1}));
  EXPECT_EQ(ratio(64, 500), (RateRatio{125, 16}));
  EXPECT_EQ(ratio(512.5, 64), (RateRatio{128, 1025}));
  EXPECT_EQ(ratio(1e6 / 3, 64), (RateRatio{3, 15625}));
}

TEST(RateRatio, SaysWhatCannotBe) {
  expect_error(ErrorKind::unsupported, {"512.013", "64 Hz", "another target rate"},
               [] { (void)rate_ratio({512.0130001}, {64}); });
  expect_error(ErrorKind::unsupported, {"ratio"}, [] { (void)rate_ratio({1e9}, {64}); });
  expect_error(ErrorKind::unsupported, {"ratio"}, [] { (void)rate_ratio({1e-9}, {64}); });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double rate : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    expect_error(ErrorKind::invalid_argument, {"positive"}, [&] { (void)rate_ratio({rate}, {64}); });
    expect_error(ErrorKind::invalid_argument, {"positive"}, [&] { (void)rate_ratio({64}, {rate}); });
  }
}

}  // namespace
}  // namespace heed::dsp
