// SPDX-License-Identifier: MIT
// Spherical splines against the formula in long double, in numpy and in MNE, to 1e-9.
#include <dsp/interpolate.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

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

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// 1/(4 pi) sum over n of (2n+1) / (n(n+1))^4 P_n(cosine), by the library's Legendre polynomials.
long double spline(const ElectrodePosition& a, const ElectrodePosition& b) {
  const long double cosine = (static_cast<long double>(a.x) * b.x) + (static_cast<long double>(a.y) * b.y) +
                             (static_cast<long double>(a.z) * b.z);
  long double sum = 0;
  for (unsigned n = 1; n <= 50; ++n) {
    const long double product = static_cast<long double>(n) * (n + 1);
    sum += (2 * n + 1) / (product * product * product * product) * std::legendre(n, std::min(1.0L, cosine));
  }
  return sum / (4 * std::numbers::pi_v<long double>);
}

// The spline's own coefficients first, then its value at every target: not by weights, as the library does it.
std::vector<double> direct(const std::vector<ElectrodePosition>& from, const std::vector<double>& values,
                           const std::vector<ElectrodePosition>& to, double smoothing) {
  const auto n = std::ssize(from);
  LongMatrix system = LongMatrix::Ones(n + 1, n + 1);
  LongMatrix right = LongMatrix::Zero(n + 1, 1);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      system(i, j) = spline(from[static_cast<std::size_t>(i)], from[static_cast<std::size_t>(j)]);
    }
    system(i, i) += smoothing;
    right(i) = values[static_cast<std::size_t>(i)];
  }
  system(n, n) = 0;
  const LongMatrix coefficients = system.fullPivLu().solve(right);
  std::vector<double> result;
  for (const ElectrodePosition& place : to) {
    long double value = coefficients(n);
    for (Index i = 0; i < n; ++i) value += coefficients(i) * spline(place, from[static_cast<std::size_t>(i)]);
    result.push_back(static_cast<double>(value));
  }
  return result;
}

std::vector<double> interpolated(const std::vector<ElectrodePosition>& from, const std::vector<double>& values,
                                 const std::vector<ElectrodePosition>& to, double smoothing = map_smoothing) {
  const Eigen::VectorXd found = spherical_spline_weights(from, to, smoothing) *
                                Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values));
  return {found.begin(), found.end()};
}

std::vector<ElectrodePosition> directions(std::vector<ElectrodePosition> places) {
  for (ElectrodePosition& one : places) {
    const double length = std::hypot(one.x, one.y, one.z);
    one = {one.x / length, one.y / length, one.z / length};
  }
  return places;
}

const std::vector<ElectrodePosition> six_places =
    directions({{0, 0, 1}, {1, 0, 0.2}, {-1, 0, 0.3}, {0, 1, 0.1}, {0, -1, -0.2}, {0.5, 0.5, 0.8}});
const std::vector<double> six_values{1, -2, 0.5, 3, 0, -1};

TEST(SphericalSplines, AreTheFormula) {
  const auto targets = directions({{0.1, 0.2, 0.9}, {1, 1, 0}, {-0.3, -0.9, 0.1}, {0, 0, -1}});
  for (const double smoothing : {channel_smoothing, map_smoothing}) {
    const auto expected = direct(six_places, six_values, targets, smoothing);
    const auto found = interpolated(six_places, six_values, targets, smoothing);
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9) << smoothing;
  }
}

TEST(SphericalSplines, MapsPassThroughTheirValues) {
  const auto found = interpolated(six_places, six_values, six_places);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], six_values[k], 5e-3) << "but for the smoothing";
}

TEST(SphericalSplines, AConstantStaysConstant) {
  for (const double value :
       interpolated(six_places, std::vector<double>(6, 4.5), directions({{1, 2, 3}, {-1, -1, -1}}))) {
    EXPECT_NEAR(value, 4.5, 1e-12);
  }
  EXPECT_NEAR(interpolated(directions({{0, 1, 1}}), {7}, directions({{0, -1, 0}}))[0], 7, 1e-12) << "of one place";
}

// x, y and z are spherical harmonics of the first degree, the smoothest fields but a constant.
TEST(SphericalSplines, ASmoothFieldIsFoundBetweenManyPlaces) {
  std::vector<ElectrodePosition> places;
  std::vector<double> values;
  constexpr int count = 64;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (1.3 * (k + 0.5) / count);
    const double turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
    places.push_back({std::sqrt(1 - (z * z)) * std::cos(turn), std::sqrt(1 - (z * z)) * std::sin(turn), z});
    values.push_back(places.back().x - (2 * places.back().y) + places.back().z);
  }
  const auto targets = directions({{0.3, 0.4, 0.8}, {-0.7, 0.2, 0.5}, {0, -0.9, 0.4}});
  const auto found = interpolated(places, values, targets);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    EXPECT_NEAR(found[k], targets[k].x - (2 * targets[k].y) + targets[k].z, 1e-3);
  }
}

TEST(SphericalSplines, PlacesThatCoincideGetTheirMean) {
  const auto places = directions({{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}});
  EXPECT_NEAR(interpolated(places, {1, 3, 0, 0, 0}, directions({{0, 0, 1}}))[0], 2, 0.01);
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
