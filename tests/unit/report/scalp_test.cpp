// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <report/topography/scalp.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace heed::report {
namespace {

void expect_at(const ScalpPosition& direction, Point expected) {
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
    const auto direction = unit_direction(ScalpPosition{random.normal(), random.normal(), random.normal()});
    ASSERT_TRUE(direction);
    const ScalpPosition back = on_sphere(on_plane(*direction));
    EXPECT_NEAR(back.x, direction->x, 1e-12);
    EXPECT_NEAR(back.y, direction->y, 1e-12);
    EXPECT_NEAR(back.z, direction->z, 1e-12);
  }
}

TEST(Scalp, WhatIsNoDirectionIsNotKnown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(unit_direction({}));
  EXPECT_FALSE(unit_direction(ScalpPosition{0, 0, 0}));
  EXPECT_FALSE(unit_direction(ScalpPosition{nan, 0, 1}));
  EXPECT_FALSE(unit_direction(ScalpPosition{0, std::numeric_limits<double>::infinity(), 1}));
  const auto millimetres = unit_direction(ScalpPosition{0, 95, 0});
  ASSERT_TRUE(millimetres);
  EXPECT_EQ(millimetres->y, 1);
}

}  // namespace
}  // namespace heed::report
