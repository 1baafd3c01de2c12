// SPDX-License-Identifier: MIT
// Spherical splines against the formula in numpy and against MNE, to 1e-9.
#include <dsp/interpolate.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/allocation_counter.h"
#include "support/dsp_matrices.h"
#include "support/expect_error.h"
#include "support/python_files.h"

namespace heed::dsp {
namespace {

using test::expect_error;
using test::read_matrix;

std::vector<ElectrodePosition> positions(const Matrix& rows) {
  std::vector<ElectrodePosition> result;
  for (Index i = 0; i < rows.rows(); ++i) result.push_back({rows(i, 0), rows(i, 1), rows(i, 2)});
  return result;
}

class SphericalSpline : public test::PythonFiles {};

TEST_F(SphericalSpline, EqualsNumpyAndMne) {
  make("dsp_scalp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  const Matrix actual =
      spherical_spline_weights(positions(read_matrix(file("from.txt"))), positions(read_matrix(file("to.txt"))));
  EXPECT_LE(test::relative_error(actual, read_matrix(file("weights.txt"))), 1e-9);
  if (!std::filesystem::exists(file("mne_weights.txt"))) GTEST_SKIP() << "MNE is wanted, too (Debian: python3-mne)";
  EXPECT_LE(test::relative_error(actual, read_matrix(file("mne_weights.txt"))), 1e-9);
}

const std::vector<std::string> names = {"Fz", "F3", "F4", "Cz", "C3", "C4", "Pz", "P3", "P4", "EXG1"};

// A smooth pattern over the scalp, and 0 where there is no scalp.
double pattern(const std::string& name) {
  const auto p = electrode_position(name);
  return p ? 2 + p->x - (0.5 * p->y) + (0.3 * p->z) : 0;
}

TEST(ChannelInterpolation, RestoresSmoothPatternsAndLeavesOthersAlone) {
  const std::vector<std::string> bad = {"cz", "P3"};
  const ChannelInterpolation interpolation(names, bad);
  Matrix signal = Matrix::NullaryExpr(
      4, 10, [](Index t, Index c) { return static_cast<double>(t + 1) * pattern(names[static_cast<std::size_t>(c)]); });
  const Matrix expected = signal;
  signal.col(3).setConstant(1e6);
  signal.col(7).setConstant(-1e6);
  const test::AllocationCount allocations;
  interpolation.apply(data::view(signal));
  EXPECT_EQ(allocations.so_far(), 0U);
  for (const Index c : {0, 1, 2, 4, 5, 6, 8, 9}) EXPECT_EQ(signal.col(c), expected.col(c));
  EXPECT_LE((signal - expected).cwiseAbs().maxCoeff(), 0.05 * 4 * 2);
}

TEST(ChannelInterpolation, KeepsConstantsExactly) {
  const std::vector<std::string> bad = {"F3"};
  Matrix signal = Matrix::Constant(1, 10, 7);
  signal(0, 1) = 0;
  ChannelInterpolation(names, bad).apply(data::view(signal));
  EXPECT_NEAR(signal(0, 1), 7, 1e-9);
}

TEST(ChannelInterpolation, SaysWhatCannotBe) {
  const auto interpolation = [](const std::vector<std::string>& channels, const std::vector<std::string>& bad) {
    return [=] { ChannelInterpolation(channels, bad); };
  };
  expect_error(ErrorKind::not_found, {"bad channel 'Oz'", "Fz F3"}, interpolation(names, {"Oz"}));
  expect_error(ErrorKind::unsupported, {"'EXG1'", "10-10", "exclude"}, interpolation(names, {"EXG1"}));
  expect_error(ErrorKind::bad_data, {"only 2 good"}, interpolation({"Fz", "Cz", "Pz", "EXG1"}, {"Cz"}));
}

}  // namespace
}  // namespace heed::dsp
