// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/topography/map_colours.h>

namespace heed::report {
namespace {

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

}  // namespace
}  // namespace heed::report
