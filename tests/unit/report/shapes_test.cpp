// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

namespace heed::report {
namespace {

using Light = std::array<double, 3>;

double linear(std::uint8_t channel) {
  const double share = channel / 255.0;
  return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

// What a reader without cones for red (protan) or green (deutan) sees, after Vienot, Brettel and Mollon 1999.
Light seen_by(Colour colour, bool protan) {
  const double r = linear(colour.red);
  const double g = linear(colour.green);
  const double b = linear(colour.blue);
  const double mixed = protan ? (0.11238 * r) + (0.88762 * g) : (0.29275 * r) + (0.70725 * g);
  const double blue = protan ? (0.00401 * r) - (0.00401 * g) + b : (-0.02234 * r) + (0.02234 * g) + b;
  return {std::cbrt(mixed), std::cbrt(mixed), std::cbrt(std::max(0.0, blue))};
}

double distance(const Light& a, const Light& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(Palette, EightSpeakersAreToldApartWithoutRedOrGreenCones) {
  for (const bool protan : {true, false}) {
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GT(distance(seen_by(palette(i), protan), seen_by(palette(j), protan)), 0.1) << i << " and " << j;
      }
    }
  }
  // The measure is able to fail: pure red and a green of its lightness are one colour to a deutan.
  EXPECT_LT(distance(seen_by({220, 40, 40}, false), seen_by({40, 151, 0}, false)), 0.1);
}

TEST(Moved, KeepsTheShape) {
  const auto path = std::get<Polyline>(moved(line({0, 1}, {2, 3}, {}), {10, 20}));
  EXPECT_EQ(path.pieces.front(), (std::vector<Point>{{10, 21}, {12, 23}}));
  EXPECT_EQ(std::get<Circle>(moved(filled_mark(MarkShape::circle, {1, 1}, 4, ink), {1, 2})).centre, (Point{2, 3}));
  EXPECT_EQ(std::get<Text>(moved(Text{.at = {1, 1}}, {1, 2})).at, (Point{2, 3}));
}

TEST(Palette, GoesOnForAnyNumber) {
  std::set<std::tuple<int, int, int>> seen;
  for (std::size_t i = 0; i < 14; ++i) seen.insert({palette(i).red, palette(i).green, palette(i).blue});
  EXPECT_EQ(seen.size(), 14U);
}

TEST(Palette, WordsAreReadableOnIt) {
  EXPECT_EQ(readable_on({0, 114, 178}), paper);
  EXPECT_EQ(readable_on({230, 159, 0}), (Colour{0, 0, 0}));
}

TEST(Hatched, StaysInsideAndJoinsItsNeighbour) {
  const Rectangle area{10.5, 3, 31, 8};
  const Polyline hatch = hatched(area, {});
  EXPECT_GE(hatch.pieces.size(), 10U);
  for (const auto& piece : hatch.pieces) {
    ASSERT_EQ(piece.size(), 2U);
    for (const Point& point : piece) {
      EXPECT_GE(point.x, area.left - 1e-9);
      EXPECT_LE(point.x, area.right() + 1e-9);
      EXPECT_GE(point.y, area.top - 1e-9);
      EXPECT_LE(point.y, area.bottom() + 1e-9);
    }
    EXPECT_NEAR(std::remainder(piece[0].x + piece[0].y, 3), 0, 1e-9) << "on the paper's own grid";
    EXPECT_NEAR(piece[0].x + piece[0].y, piece[1].x + piece[1].y, 1e-9);
  }
  EXPECT_TRUE(hatched({5, 5, 0, 8}, {}).pieces.empty());
}

TEST(Markers, AreCentredAndAsLargeAsAsked) {
  for (const MarkShape kind : {MarkShape::square, MarkShape::triangle_down, MarkShape::triangle_up, MarkShape::diamond,
                               MarkShape::cross, MarkShape::star}) {
    const auto path = std::get<Polyline>(filled_mark(kind, {50, 20}, 6, ink));
    double least = 1e9;
    double most = -1e9;
    for (const auto& piece : path.pieces) {
      for (const Point& point : piece) {
        least = std::min(least, point.x);
        most = std::max(most, point.x);
      }
    }
    EXPECT_NEAR((least + most) / 2, 50, 1e-9);
    EXPECT_NEAR(most - least, 6, 1.3);
  }
  EXPECT_EQ(std::get<Circle>(filled_mark(MarkShape::circle, {1, 2}, 6, ink)).radius, 3);
  EXPECT_FALSE(std::get<Circle>(hollow_mark(MarkShape::circle, {1, 2}, 6, ink)).fill);
  EXPECT_FALSE(std::get<Polyline>(hollow_mark(MarkShape::triangle_up, {1, 2}, 6, ink)).fill);
  // A triangle that points down has its tip, one point, below.
  const auto down = std::get<Polyline>(filled_mark(MarkShape::triangle_down, {0, 0}, 6, ink)).pieces.front();
  EXPECT_EQ(std::ranges::count_if(down, [](const Point& point) { return point.y > 0; }), 1);
}

}  // namespace
}  // namespace heed::report
