// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/topography/scalp.h>
#include <report/topography/spherical_spline.h>

#include <cmath>
#include <numbers>

namespace heed::report {
namespace {

std::vector<ScalpPosition> directions(const std::vector<ScalpPosition>& places) {
  std::vector<ScalpPosition> result;
  for (const ScalpPosition& place : places) result.push_back(*unit_direction(place));
  return result;
}

const std::vector<ScalpPosition>& six_places() {
  static const auto places =
      directions({{0, 0, 1}, {1, 0, 0.2}, {-1, 0, 0.3}, {0, 1, 0.1}, {0, -1, -0.2}, {0.5, 0.5, 0.8}});
  return places;
}

// The same series by numpy.polynomial.legendre.legval and numpy.linalg.solve.
TEST(SphericalSpline, AgreesWithNumpy) {
  const std::vector<double> values{1, -2, 0.5, 3, 0, -1};
  const auto targets = directions({{0.1, 0.2, 0.9}, {1, 1, 0}, {-0.3, -0.9, 0.1}, {0, 0, -1}});
  const std::vector<double> expected{0.486811238737069, 0.072596140221869, 0.141319817196916, 1.909330696677224};
  const auto found = interpolated(six_places(), values, targets);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-10);
}

TEST(SphericalSpline, GoesThroughTheValues) {
  const std::vector<double> values{1, -2, 0.5, 3, 0, -1};
  const auto found = interpolated(six_places(), values, six_places());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(found[k], values[k], 5e-3) << "but for the smoothing";
}

TEST(SphericalSpline, AConstantStaysConstant) {
  const std::vector<double> values(6, 4.5);
  for (const double value : interpolated(six_places(), values, directions({{1, 2, 3}, {-1, -1, -1}}))) {
    EXPECT_NEAR(value, 4.5, 1e-12);
  }
}

// x, y and z are spherical harmonics of the first degree, the smoothest fields but a constant.
TEST(SphericalSpline, ASmoothFieldIsFoundBetweenManyPlaces) {
  std::vector<ScalpPosition> places;
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

TEST(SphericalSpline, PlacesThatCoincideGetTheirMean) {
  const auto places = directions({{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}});
  const std::vector<double> values{1, 3, 0, 0, 0};
  EXPECT_NEAR(interpolated(places, values, directions({{0, 0, 1}}))[0], 2, 0.01);
}

TEST(SphericalSpline, OnePlaceIsAConstantField) {
  const std::vector<double> one{7};
  EXPECT_NEAR(interpolated(directions({{0, 1, 1}}), one, directions({{0, -1, 0}}))[0], 7, 1e-12);
}

}  // namespace
}  // namespace heed::report
