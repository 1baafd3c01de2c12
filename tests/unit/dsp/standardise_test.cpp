// SPDX-License-Identifier: MIT
#include <dsp/standardise.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/dsp_matrices.h"
#include "support/expect_error.h"

namespace heed::dsp {
namespace {

using test::noise;

MatrixView view(const Matrix& matrix) { return data::view(matrix); }

TEST(Standardise, GivesMeanZeroAndDeviationOne) {
  Matrix signal = (3 * noise(1000, 4, 1)).rowwise() + Eigen::RowVector4d(1e4, -2, 0, 5);
  const SignalScales scales = measure_scales(view(signal));
  EXPECT_NEAR(scales.mean[0], signal.col(0).mean(), 1e-9);
  EXPECT_NEAR(scales.deviation[1], std::sqrt((signal.col(1).array() - signal.col(1).mean()).square().mean()), 1e-12);
  standardise(data::view(signal), scales);
  for (Index c = 0; c < 4; ++c) {
    EXPECT_NEAR(signal.col(c).mean(), 0, 1e-10);
    EXPECT_NEAR(signal.col(c).squaredNorm() / 1000, 1, 1e-10);
  }
}

TEST(Standardise, LeavesMissingRowsOutAndMakesThemZero) {
  Matrix signal = noise(100, 2, 2);
  const std::vector<SampleRange> missing = {{0, 5}, {40, 10}, {95, 5}};
  const SignalScales expected = measure_scales(view(signal), missing);
  for (const SampleRange& range : missing) signal.middleRows(range.first, range.count).array() += 1e6;
  const SignalScales scales = measure_scales(view(signal), missing);
  EXPECT_EQ(scales.mean, expected.mean);
  EXPECT_EQ(scales.deviation, expected.deviation);
  standardise(data::view(signal), scales, missing);
  for (const SampleRange& range : missing) {
    EXPECT_EQ(signal.middleRows(range.first, range.count).cwiseAbs().maxCoeff(), 0);
  }
  EXPECT_NEAR(signal.col(0).squaredNorm(), 80, 1e-9);
}

TEST(Standardise, MakesAFlatChannelZero) {
  Matrix signal = noise(100, 3, 3);
  signal.col(1).setConstant(1e5 / 3);
  signal.col(2).setZero();
  const SignalScales scales = measure_scales(view(signal));
  EXPECT_EQ(scales.deviation[1], 0);
  EXPECT_EQ(scales.deviation[2], 0);
  standardise(data::view(signal), scales);
  EXPECT_EQ(signal.rightCols(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(signal.col(0).squaredNorm(), 100, 1e-9);
}

TEST(Standardise, TakesGivenScales) {
  Matrix signal = Matrix::Constant(3, 1, 7);
  standardise(data::view(signal), {Eigen::VectorXd::Constant(1, 1), Eigen::VectorXd::Constant(1, 2)});
  EXPECT_EQ(signal(2, 0), 3);
}

TEST(Standardise, SaysWhatDoesNotFit) {
  Matrix signal = noise(10, 2, 4);
  const std::vector<SampleRange> all = {{0, 10}};
  test::expect_error(ErrorKind::bad_data, {"every sample"}, [&] { (void)measure_scales(view(signal), all); });
  test::expect_error(ErrorKind::invalid_argument, {"1 channels", "of 2"}, [&] {
    standardise(data::view(signal), {Eigen::VectorXd::Zero(1), Eigen::VectorXd::Ones(1)});
  });
}

}  // namespace
}  // namespace heed::dsp
