// SPDX-License-Identifier: MIT
// Running sections: against scipy's sosfilt and sosfiltfilt to 1e-9, and the laws of linear filters.
#include <dsp/sections.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/allocation_counter.h"
#include "support/dsp_matrices.h"
#include "support/expect_error.h"
#include "support/python_files.h"

namespace heed::dsp {
namespace {

using test::noise;
using test::read_matrix;
using test::relative_error;

constexpr double tolerance = 1e-9;

class RunningSections : public test::PythonFiles {};

Sections from_rows(const Matrix& rows) {
  Sections sections;
  for (Index i = 0; i < rows.rows(); ++i) {
    sections.push_back({rows(i, 0), rows(i, 1), rows(i, 2), rows(i, 4), rows(i, 5)});
  }
  return sections;
}

Matrix causal(const Sections& sections, Matrix signal) {
  SectionFilter(sections, signal.cols()).filter(data::view(signal));
  return signal;
}

Matrix zero_phase(const Sections& sections, Matrix signal) {
  filter_zero_phase(sections, data::view(signal));
  return signal;
}

Sections band_pass() { return butterworth_band_pass(2, {{1}, {9}}, {64}); }

Matrix sine(double frequency, Index samples) {
  return Matrix::NullaryExpr(samples, 1, [&](Index t, Index) {
    return std::sin(2 * std::numbers::pi * frequency * static_cast<double>(t) / 64);
  });
}

TEST_F(RunningSections, EqualScipy) {
  make("dsp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  const Index cases = read_matrix(file("filters.txt")).rows();
  ASSERT_EQ(cases, 14);
  for (Index k = 0; k < cases; ++k) {
    const std::string name = "filter_" + std::to_string(k);
    const Sections sections = from_rows(read_matrix(file(name + "_sections.txt")));
    const Matrix input = read_matrix(file(name + "_input.txt"));
    EXPECT_LE(relative_error(causal(sections, input), read_matrix(file(name + "_causal.txt"))), tolerance) << name;
    EXPECT_LE(relative_error(zero_phase(sections, input), read_matrix(file(name + "_zero_phase.txt"))), tolerance)
        << name;
  }
}

TEST(SectionFilter, GivesTheSameBitsInAnyChunks) {
  const Matrix input = noise(500, 5, 1);
  const Matrix expected = causal(band_pass(), input);
  for (const Index chunk : {1, 7, 64, 499}) {
    Matrix signal = input;
    SectionFilter filter(band_pass(), 5);
    test::in_chunks(500, chunk,
                    [&](Index first, Index count) { filter.filter(data::view(signal).middle_rows(first, count)); });
    EXPECT_EQ(signal, expected) << chunk;
  }
}

TEST(SectionFilter, IsLinearAndLeavesOtherColumnsAlone) {
  const Matrix a = noise(200, 2, 2);
  const Matrix b = noise(200, 2, 3);
  const Matrix sum = causal(band_pass(), 2 * a - 3 * b);
  EXPECT_LE(relative_error(sum, 2 * causal(band_pass(), a) - 3 * causal(band_pass(), b)), 1e-13);
  Matrix wide = noise(200, 4, 4);
  const Matrix before = wide;
  SectionFilter filter(band_pass(), 2);
  filter.filter({wide.data() + 1, 200, 2, 4});
  EXPECT_EQ(wide.col(0), before.col(0));
  EXPECT_EQ(wide.col(3), before.col(3));
  EXPECT_EQ(Matrix(wide.middleCols(1, 2)), causal(band_pass(), before.middleCols(1, 2)));
}

TEST(SectionFilter, StartsInTheSteadyStateOfAConstant) {
  const std::vector<double> values = {3, -4000};
  for (const Sections& sections : {band_pass(), butterworth_low_pass(3, {8}, {64})}) {
    SectionFilter filter(sections, 2);
    filter.start_at(values);
    Matrix signal = Eigen::RowVector2d(3, -4000).replicate(100, 1);
    filter.filter(data::view(signal));
    const double gain = sections.size() == 2 && sections[0].a2 != 0 && sections[1].b1 < 0 ? 0 : 1;
    for (Index t = 0; t < 100; ++t) {
      EXPECT_NEAR(signal(t, 0), gain * 3, 1e-9);
      EXPECT_NEAR(signal(t, 1), gain * -4000, 1e-9);
    }
    filter.reset();
    Matrix silence = Matrix::Zero(10, 2);
    filter.filter(data::view(silence));
    EXPECT_EQ(silence, Matrix::Zero(10, 2));
  }
}

TEST(SectionFilter, NeverAllocatesWhileItRuns) {
  SectionFilter filter(band_pass(), 8);
  Matrix signal = noise(100, 8, 5);
  const test::AllocationCount allocations;
  filter.filter(data::view(signal));
  filter.start_at(data::view(signal).row(0));
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(ZeroPhase, PassesTheMiddleOfTheBandWithoutDelayAndTakesConstantsOut) {
  const Matrix in_band = sine(3, 640);
  const Matrix out = zero_phase(band_pass(), in_band);
  EXPECT_LE((out - in_band).middleRows(128, 384).cwiseAbs().maxCoeff(), 2e-3);
  EXPECT_LE(zero_phase(band_pass(), Matrix::Constant(200, 1, 1e5)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE(zero_phase(band_pass(), sine(0.05, 1280)).middleRows(200, 880).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LE(zero_phase(band_pass(), sine(28, 640)).middleRows(128, 384).cwiseAbs().maxCoeff(), 1e-2);
}

TEST(ZeroPhase, IsTheSameBackwards) {
  const Matrix input = noise(900, 2, 6);
  const Matrix reversed = zero_phase(band_pass(), input.colwise().reverse()).colwise().reverse();
  // The start of either direction shows until it has decayed.
  const Matrix difference = reversed - zero_phase(band_pass(), input);
  EXPECT_LE(difference.middleRows(400, 100).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ZeroPhase, SaysWhenASignalIsTooShort) {
  EXPECT_EQ(zero_phase_padding(band_pass()), 15);
  EXPECT_EQ(zero_phase_padding(butterworth_low_pass(1, {8}, {64})), 6);
  test::expect_error(ErrorKind::bad_data, {"15 samples", "at least 16", "causal"},
                     [] { zero_phase(band_pass(), noise(15, 1, 7)); });
  EXPECT_EQ(zero_phase(band_pass(), noise(16, 1, 7)).rows(), 16);
}

}  // namespace
}  // namespace heed::dsp
