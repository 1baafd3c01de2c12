// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <report/head_map.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace heed::report {
namespace {

// Counter-clockwise outlines count positive, holes negative.
double signed_area(const std::vector<Point>& outline) {
  double twice = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point& a = outline[i];
    const Point& b = outline[(i + 1) % outline.size()];
    twice += (a.x * b.y) - (b.x * a.y);
  }
  return twice / 2;
}

double area(const std::vector<std::vector<Point>>& outlines) {
  double sum = 0;
  for (const auto& outline : outlines) sum += signed_area(outline);
  return sum;
}

template <typename Field>
std::vector<double> on_vertices(const HeadMesh& mesh, Field field) {
  std::vector<double> values;
  for (const Point& vertex : mesh.vertices()) values.push_back(field(vertex));
  return values;
}

constexpr double coarse = 0.01;  // the mesh is a polygon, not a circle

TEST(HeadMesh, EverywhereAboveIsTheWholeHeadAndNowhereIsNothing) {
  const HeadMesh mesh(whole_head(1.2));
  const auto values = on_vertices(mesh, [](Point) { return 3.0; });
  const auto whole = mesh.region_above(values, 3);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_NEAR(signed_area(whole[0]), 1.44 * std::numbers::pi, coarse);
  EXPECT_TRUE(mesh.region_above(values, 3.0001).empty());
}

TEST(HeadMesh, AStraightBorderCutsTheHeadInTwo) {
  const HeadMesh mesh(whole_head(1));
  const auto values = on_vertices(mesh, [](Point p) { return p.x; });
  const auto half = mesh.region_above(values, 0.01);
  ASSERT_EQ(half.size(), 1U);
  EXPECT_NEAR(signed_area(half[0]), (std::numbers::pi / 2) - 0.02, coarse);
  for (const Point& point : half[0]) EXPECT_GE(point.x, 0.01 - 1e-12);
  // A segment of a circle beyond x = 0.5.
  EXPECT_NEAR(area(mesh.region_above(values, 0.5)), (std::numbers::pi / 3) - (std::sqrt(3.0) / 4), coarse);
}

TEST(HeadMesh, AnIslandAndARingWithAHole) {
  const HeadMesh mesh(whole_head(1));
  const auto cone = on_vertices(mesh, [](Point p) { return -std::hypot(p.x, p.y); });
  const auto island = mesh.region_above(cone, -0.5);
  ASSERT_EQ(island.size(), 1U);
  EXPECT_NEAR(signed_area(island[0]), std::numbers::pi / 4, coarse);

  const auto funnel = on_vertices(mesh, [](Point p) { return std::hypot(p.x, p.y); });
  const auto ring = mesh.region_above(funnel, 0.5);
  ASSERT_EQ(ring.size(), 2U) << "the rim and the hole";
  EXPECT_NEAR(area(ring), std::numbers::pi * 0.75, coarse);
  EXPECT_LT(std::min(signed_area(ring[0]), signed_area(ring[1])), 0) << "holes run the other way";
}

// Whatever the field: above and not above make up the head, and a lower level holds a larger region.
TEST(HeadMesh, RegionsOfAWavyFieldAreNested) {
  const HeadMesh mesh(whole_head(1));
  const auto wave = [](Point p) { return std::sin(9 * p.x) * std::cos(7 * p.y) + (0.3 * p.x); };
  const auto values = on_vertices(mesh, wave);
  std::vector<double> turned;
  for (const double value : values) turned.push_back(-value);
  const double whole = area(mesh.region_above(values, -10));
  double before = whole;
  for (int k = -9; k < 10; ++k) {
    const double level = 0.1037 * k;  // no vertex lies on it
    const double above = area(mesh.region_above(values, level));
    EXPECT_LE(above, before + 1e-12);
    EXPECT_NEAR(above + area(mesh.region_above(turned, -level)), whole, 1e-9);
    before = above;
  }
}

TEST(HeadMesh, SimplifiedOutlinesKeepTheirCorners) {
  std::vector<Point> square;
  for (const auto& [from, to] :
       {std::pair<Point, Point>{{0, 0}, {1, 0}}, {{1, 0}, {1, 1}}, {{1, 1}, {0, 1}}, {{0, 1}, {0, 0}}}) {
    for (int k = 0; k < 10; ++k) {
      square.push_back({from.x + (k / 10.0 * (to.x - from.x)), from.y + (k / 10.0 * (to.y - from.y))});
    }
  }
  EXPECT_EQ(simplified(square, 1e-6), (std::vector<Point>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
  const auto rim =
      HeadMesh(whole_head(1)).region_above(std::vector<double>(HeadMesh(whole_head(1)).vertices().size(), 1.0), 0)[0];
  const auto fewer = simplified(rim, 0.005);
  EXPECT_LT(fewer.size(), rim.size());
  EXPECT_NEAR(signed_area(fewer), std::numbers::pi, 0.04);
}

double reach_towards(const HeadPart& part, double x, double y) {
  const double turns = std::atan2(y, x) / (2 * std::numbers::pi);
  const auto spoke = static_cast<std::size_t>(std::lround((turns < 0 ? turns + 1 : turns) * head_spokes)) % head_spokes;
  return part.reach[spoke];
}

TEST(CoveredPart, EndsALittleBeyondTheOutermostElectrodes) {
  const std::vector<Point> right_half = {{0.2, 0.6}, {0.8, 0}, {0.2, -0.6}, {0.4, 0}};
  const HeadPart part = covered_part(right_half, 1);
  EXPECT_NEAR(part.centre.x + reach_towards(part, 1, 0), 0.92, 0.01);
  EXPECT_NEAR(part.centre.x - reach_towards(part, -1, 0), 0.08, 0.01) << "the left half is not covered";
  const double whole =
      area({HeadMesh(part).region_above(std::vector<double>(HeadMesh(part).vertices().size(), 0.0), 0)});
  // A triangle of base 1.2 and height 0.6, a strip of 0.12 around it, and a disc of that radius at its corners
  // together.
  const double perimeter = 1.2 + (2 * std::hypot(0.6, 0.6));
  EXPECT_NEAR(whole, 0.36 + (0.12 * perimeter) + (std::numbers::pi * 0.12 * 0.12),
              0.02);  // tangents of a polygon lie outside the hull
}

TEST(CoveredPart, StaysWithinTheRimAndHoldsEveryElectrode) {
  RandomStream random(7);
  for (int draw = 0; draw < 50; ++draw) {
    std::vector<Point> electrodes;
    for (int k = 0; k <= draw % 9; ++k) {
      const double radius = std::sqrt(random.uniform());
      const double angle = 2 * std::numbers::pi * random.uniform();
      electrodes.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    const HeadPart part = covered_part(electrodes, 1);
    const HeadMesh mesh(part);
    for (const Point& vertex : mesh.vertices()) EXPECT_LE(std::hypot(vertex.x, vertex.y), 1 + 1e-12);
    for (const Point& electrode : electrodes) {
      const double x = electrode.x - part.centre.x;
      const double y = electrode.y - part.centre.y;
      EXPECT_LE(std::hypot(x, y), reach_towards(part, x, y) + 0.03);  // spokes are four degrees apart
    }
  }
}

double luminance(Colour colour) { return (0.299 * colour.red) + (0.587 * colour.green) + (0.114 * colour.blue); }

TEST(MapColours, ZeroIsNearlyWhiteAndBothSidesDarkenAlike) {
  constexpr std::size_t middle = colour_bands / 2;
  EXPECT_EQ(band_colour(middle), (Colour{247, 247, 247}));
  for (std::size_t k = 1; k <= middle; ++k) {
    EXPECT_LT(luminance(band_colour(middle + k)), luminance(band_colour(middle + k - 1)));
    EXPECT_LT(luminance(band_colour(middle - k)), luminance(band_colour(middle - k + 1)));
    EXPECT_GT(band_colour(middle + k).red, band_colour(middle + k).blue) << "positive is red";
    EXPECT_GT(band_colour(middle - k).blue, band_colour(middle - k).red) << "negative is blue";
  }
}

TEST(MapColours, BandsAreEquallyWideAroundZero) {
  for (std::size_t k = 1; k < colour_bands; ++k) {
    EXPECT_NEAR(band_start(k), -band_start(colour_bands - k), 1e-15);
    EXPECT_NEAR(band_start(k), -1 + (2.0 * static_cast<double>(k) / 17), 1e-15);
  }
}

TEST(MapColours, PlacesAreToldApart) {
  const Colour left = place_colour({-1, 0, 0});
  const Colour right = place_colour({1, 0, 0});
  EXPECT_GT(left.blue, left.red);
  EXPECT_GT(right.red, right.blue);
  const Colour vertex = place_colour({0, 0, 1});
  EXPECT_EQ(vertex.red, vertex.blue) << "the middle is grey";
  EXPECT_GT(luminance(place_colour({0, 1, 0})), luminance(vertex) + 30);
  EXPECT_LT(luminance(place_colour({0, -1, 0})), luminance(vertex) - 30);
  EXPECT_LT(luminance(place_colour({0, 1, 0})), 200) << "still seen on white";
}

void expect_at(const dsp::ElectrodePosition& direction, Point expected) {
  const Point found = on_plane(direction);
  EXPECT_NEAR(found.x, expected.x, 1e-12);
  EXPECT_NEAR(found.y, expected.y, 1e-12);
}

TEST(Scalp, DistancesFromTheVertexAreTrue) {
  expect_at({0, 0, 1}, {0, 0});
  expect_at({1, 0, 0}, {1, 0});
  expect_at({-1, 0, 0}, {-1, 0});
  expect_at({0, 1, 0}, {0, 1});
  const double half = std::numbers::sqrt2 / 2;
  expect_at({half, 0, half}, {0.5, 0});   // 45 degrees
  expect_at({0, half, -half}, {0, 1.5});  // 135 degrees: below the equator
  expect_at({0, 0, -1}, {0, -2});
}

TEST(Scalp, PlaneAndSphereAgree) {
  RandomStream random(3, 1);
  for (int k = 0; k < 100; ++k) {
    const auto direction = unit_direction(dsp::ElectrodePosition{random.normal(), random.normal(), random.normal()});
    ASSERT_TRUE(direction);
    const dsp::ElectrodePosition back = on_sphere(on_plane(*direction));
    EXPECT_NEAR(back.x, direction->x, 1e-12);
    EXPECT_NEAR(back.y, direction->y, 1e-12);
    EXPECT_NEAR(back.z, direction->z, 1e-12);
  }
}

TEST(Scalp, WhatIsNoDirectionIsNotKnown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(unit_direction({}));
  EXPECT_FALSE(unit_direction(dsp::ElectrodePosition{0, 0, 0}));
  EXPECT_FALSE(unit_direction(dsp::ElectrodePosition{nan, 0, 1}));
  EXPECT_FALSE(unit_direction(dsp::ElectrodePosition{0, std::numeric_limits<double>::infinity(), 1}));
  const auto millimetres = unit_direction(dsp::ElectrodePosition{0, 95, 0});
  ASSERT_TRUE(millimetres);
  EXPECT_EQ(millimetres->y, 1);
}

}  // namespace

}  // namespace heed::report
