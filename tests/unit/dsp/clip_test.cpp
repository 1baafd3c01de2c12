// SPDX-License-Identifier: MIT
#include <dsp/standardise.h>
#include <gtest/gtest.h>

#include "support/dsp_matrices.h"
#include "support/expect_error.h"

namespace heed::dsp {
namespace {

using test::noise;

Eigen::VectorXd robust(const Matrix& signal, std::span<const SampleRange> missing = {}) {
  return robust_deviations(data::view(signal), missing);
}

TEST(RobustDeviations, AreThoseOfNormalNoiseWhateverArtefactsDo) {
  Matrix signal = 5 * noise(20000, 1, 1);
  EXPECT_NEAR(robust(signal)[0], 5, 0.1);
  signal.topRows(500).setConstant(1e6);
  EXPECT_NEAR(robust(signal)[0], 5, 0.3);
}

TEST(RobustDeviations, AreTheMedianOfSizes) {
  const Matrix odd = (Matrix(3, 1) << -1, 7, 2).finished();
  EXPECT_NEAR(robust(odd)[0], 2 / 0.6744897501960817, 1e-12);
  const Matrix even = (Matrix(4, 1) << -1, 7, 2, -4).finished();
  EXPECT_NEAR(robust(even)[0], 3 / 0.6744897501960817, 1e-12);
  const std::vector<SampleRange> last = {{3, 1}};
  EXPECT_EQ(robust(even, last)[0], robust(odd)[0]);
  const std::vector<SampleRange> all = {{0, 4}};
  test::expect_error(ErrorKind::bad_data, {"every sample"}, [&] { robust(even, all); });
}

TEST(Clip, LimitsWhatIsBeyondAndCountsIt) {
  Matrix signal = (Matrix(4, 2) << 1, 1, -9, 100, 6, -100, 5.9, 0).finished();
  EXPECT_EQ(clip(data::view(signal), Eigen::Vector2d(2, 0), 3), 1);
  const Matrix expected = (Matrix(4, 2) << 1, 1, -6, 100, 6, -100, 5.9, 0).finished();
  EXPECT_EQ(signal, expected);
  EXPECT_EQ(clip(data::view(signal), Eigen::Vector2d(2, 0), 3), 0);
}

}  // namespace
}  // namespace heed::dsp
