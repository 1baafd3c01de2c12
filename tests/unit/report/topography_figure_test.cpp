// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/report/drawing.h>
#include <report/figures.h>
#include <report/head_map.h>
#include <support/expect_error.h>
#include <support/report_cases.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace heed::report {
namespace {

using test::expect_error;
using test::groups_of;
using test::says;
using test::shapes_of;

const double nan = std::numeric_limits<double>::quiet_NaN();

// Channels on a spiral down to just below the equator; a dipole from left to right that grows with the lag.
TopographyPicture sample(Index channels, Index lags) {
  TopographyPicture picture;
  picture.title = "what the decoder listens to";
  picture.pattern = Matrix(channels, lags);
  for (Index k = 0; k < lags; ++k) picture.lags.push_back({static_cast<double>(k) / 64});
  for (Index c = 0; c < channels; ++c) {
    const double z = 1 - (1.2 * (static_cast<double>(c) + 0.5) / static_cast<double>(channels));
    const double turn = static_cast<double>(c) * std::numbers::pi * (3 - std::sqrt(5.0));
    const double flat = std::sqrt(1 - (z * z));
    picture.channels.push_back("E" + std::to_string(c + 1));
    picture.positions.emplace_back(dsp::ElectrodePosition{flat * std::cos(turn), flat * std::sin(turn), z});
    for (Index k = 0; k < lags; ++k) {
      picture.pattern(c, k) = flat * std::cos(turn) * static_cast<double>(k + 1) / static_cast<double>(lags);
    }
  }
  return picture;
}

void fill_with_noise(Matrix& pattern) {
  RandomStream random(5, 1);
  for (double& value : pattern.reshaped()) value = random.normal();
}

// The caption is broken into lines.
std::string caption_of(const Drawing& drawing) {
  std::string words;
  for (const Group& group : groups_of(drawing, "caption")) {
    for (const Text& text : shapes_of<Text>(group)) words += (words.empty() ? "" : " ") + text.text;
  }
  return words;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> lags_of(const Drawing& drawing) {
  std::vector<std::string> labels;
  for (const Group& group : groups_of(drawing, "lag")) labels.push_back(shapes_of<Text>(group).front().text);
  return labels;
}

TEST(TopographyFigure, HasAMapALagAndALineAChannel) {
  const Drawing drawing = draw_topography(sample(32, 17));
  EXPECT_EQ(lags_of(drawing), (std::vector<std::string>{"0 ms", "47 ms", "94 ms", "156 ms", "203 ms", "250 ms"}))
      << "the nearest ones at 64 Hz";
  EXPECT_EQ(groups_of(drawing, "field").size(), 6U);
  ASSERT_EQ(groups_of(drawing, "electrodes").size(), 6U);
  EXPECT_EQ(shapes_of<Circle>(groups_of(drawing, "electrodes")[0]).size(), 32U);
  ASSERT_EQ(groups_of(drawing, "channels").size(), 1U);
  const auto lines = shapes_of<Polyline>(groups_of(drawing, "channels")[0]);
  ASSERT_EQ(lines.size(), 32U);
  EXPECT_EQ(lines[4].hint, "E5");
  EXPECT_EQ(lines[4].pieces[0].size(), 17U);
  EXPECT_EQ(lines[4].stroke->colour, place_colour(*sample(32, 17).positions[4]));
  EXPECT_EQ(shapes_of<Polyline>(groups_of(drawing, "field-power")[0])[0].pieces[0].size(), 17U);
  for (const char* words : {"lag of the EEG (ms)", "pattern (a.u.)", "global field power", "a.u."}) {
    EXPECT_TRUE(says(drawing, words)) << words;
  }
  EXPECT_EQ(caption_of(drawing), "");
  EXPECT_TRUE(has(drawing.description, "largest at 250 ms")) << drawing.description;
}

// The last lag holds the extremes of the scale: blue where the left is, red where the right is.
TEST(TopographyFigure, ColoursLieWhereTheValuesAre) {
  const Drawing drawing = draw_topography(sample(64, 17));
  const auto strength = [&](std::size_t map) { return groups_of(drawing, "field")[map].shapes.size(); };
  EXPECT_LT(strength(0), strength(5)) << "a weak map has few bands: all share one scale";
  const Group last = groups_of(drawing, "field")[5];
  const auto bands = shapes_of<Polyline>(last);
  const auto head = shapes_of<Circle>(last)[0];
  EXPECT_EQ(*bands.front().fill, band_colour(0)) << "all that electrodes cover";
  EXPECT_EQ(*bands.back().fill, band_colour(colour_bands - 1));
  for (const auto& piece : bands.back().pieces) {
    for (const Point& point : piece) EXPECT_GT(point.x, head.centre.x) << "the reddest is on the right";
  }
  for (const Polyline& band : bands) {
    for (const auto& piece : band.pieces) {
      for (const Point& point : piece) {
        EXPECT_LE(std::hypot(point.x - head.centre.x, point.y - head.centre.y), head.radius + 1e-9);
      }
    }
  }
}

TEST(TopographyFigure, TheNoseIsUp) {
  TopographyPicture picture = sample(12, 3);
  picture.positions[3] = dsp::ElectrodePosition{0, 1, 0};
  picture.positions[4] = dsp::ElectrodePosition{1, 0, 0};
  const Drawing drawing = draw_topography(picture);
  const Circle head = shapes_of<Circle>(groups_of(drawing, "field")[0]).back();
  const auto dots = shapes_of<Circle>(groups_of(drawing, "electrodes")[0]);
  EXPECT_NEAR(dots[3].centre.x, head.centre.x, 1e-9);
  EXPECT_LT(dots[3].centre.y, head.centre.y - (0.8 * head.radius));
  EXPECT_NEAR(dots[4].centre.y, head.centre.y, 1e-9);
  EXPECT_GT(dots[4].centre.x, head.centre.x + (0.8 * head.radius));
  for (const Circle& dot : dots) {
    EXPECT_LT(std::hypot(dot.centre.x - head.centre.x, dot.centre.y - head.centre.y), head.radius);
  }
}

TEST(TopographyFigure, FieldPowerIsTheDeviationOverChannels) {
  TopographyPicture picture = sample(4, 2);
  picture.pattern << 1, 2, 1, -2, 3, 2, 3, -2;  // deviations 1 and 2
  const Drawing drawing = draw_topography(picture);
  const auto power = shapes_of<Polyline>(groups_of(drawing, "field-power")[0])[0].pieces[0];
  const double zero = shapes_of<Polyline>(groups_of(drawing, "zero")[0])[0].pieces[0][0].y;
  const auto first = shapes_of<Polyline>(groups_of(drawing, "channels")[0])[0].pieces[0];
  const double unit = zero - first[0].y;  // the first channel begins at 1
  EXPECT_NEAR(zero - power[0].y, unit, 1e-9);
  EXPECT_NEAR(zero - power[1].y, 2 * unit, 1e-9);
}

TEST(TopographyFigure, ChannelsWithoutAPlaceAreNamed) {
  TopographyPicture picture = sample(16, 17);
  picture.caption = "Given.";
  picture.positions[2].reset();
  picture.positions[7] = dsp::ElectrodePosition{0, 0, 0};
  const Drawing drawing = draw_topography(picture);
  EXPECT_EQ(caption_of(drawing), "Given. Not in the maps, since their positions are unknown: E3, E8.");
  EXPECT_EQ(shapes_of<Circle>(groups_of(drawing, "electrodes")[0]).size(), 14U);
  EXPECT_EQ(shapes_of<Polyline>(groups_of(drawing, "channels")[0]).size(), 16U) << "their lines are drawn all the same";
  EXPECT_TRUE(says(drawing, "channel without a known position"));
}

TEST(TopographyFigure, WithoutPlacesThereAreLinesAlone) {
  TopographyPicture picture = sample(8, 17);
  for (auto& position : picture.positions) position.reset();
  const Drawing drawing = draw_topography(picture);
  EXPECT_TRUE(groups_of(drawing, "field").empty());
  EXPECT_TRUE(groups_of(drawing, "colour-bar").empty());
  EXPECT_TRUE(groups_of(drawing, "head").empty());
  EXPECT_EQ(shapes_of<Polyline>(groups_of(drawing, "channels")[0]).size(), 8U);
  EXPECT_TRUE(has(caption_of(drawing), "at least 3 channels with a known position, and there are 0."))
      << caption_of(drawing);
}

TEST(TopographyFigure, AFlatPatternIsWhiteAndSaysSo) {
  TopographyPicture picture = sample(16, 17);
  picture.pattern.setZero();
  const Drawing drawing = draw_topography(picture);
  for (const Group& field : groups_of(drawing, "field")) {
    const auto bands = shapes_of<Polyline>(field);
    ASSERT_EQ(bands.size(), 1U);
    EXPECT_EQ(*bands[0].fill, band_colour(colour_bands / 2));
  }
  EXPECT_TRUE(has(caption_of(drawing), "The pattern is zero everywhere."));
  EXPECT_FALSE(has(render(drawing, FigureFormat::svg), "nan"));
}

TEST(TopographyFigure, MissingValuesLeaveGaps) {
  TopographyPicture picture = sample(16, 17);
  picture.pattern(3, 0) = nan;
  picture.pattern(5, 8) = std::numeric_limits<double>::infinity();
  const Drawing drawing = draw_topography(picture);
  EXPECT_EQ(shapes_of<Circle>(groups_of(drawing, "electrodes")[0]).size(), 15U);
  EXPECT_EQ(shapes_of<Circle>(groups_of(drawing, "electrodes")[1]).size(), 16U);
  const auto lines = shapes_of<Polyline>(groups_of(drawing, "channels")[0]);
  EXPECT_EQ(lines[3].pieces[0].size(), 16U);
  EXPECT_EQ(lines[5].pieces.size(), 2U);
  EXPECT_TRUE(has(caption_of(drawing), "Channels without a value at a lag are left out of its map."));
  const std::string svg = render(drawing, FigureFormat::svg);
  EXPECT_FALSE(has(svg, "nan"));
  EXPECT_FALSE(has(svg, "inf"));
}

TEST(TopographyFigure, SmallNumbersGetAPowerOfTen) {
  TopographyPicture picture = sample(8, 17);
  picture.pattern *= 3e-8 / picture.pattern.cwiseAbs().maxCoeff();
  picture.unit = "V";
  const Drawing drawing = draw_topography(picture);
  EXPECT_TRUE(says(drawing, "pattern (10\u207b\u2079 V)"));
  EXPECT_TRUE(says(drawing, "20"));
  picture.pattern *= 1e-310;
  EXPECT_FALSE(has(render(draw_topography(picture), FigureFormat::svg), "nan"));
}

TEST(TopographyFigure, LagsBeyondThePatternAreNotShown) {
  TopographyPicture picture = sample(8, 17);
  picture.maps = {{-0.1}, {0.1}, {0.101}, {0.4}};
  EXPECT_EQ(lags_of(draw_topography(picture)), std::vector<std::string>{"94 ms"});
  picture.maps = {{1.0}};
  EXPECT_EQ(lags_of(draw_topography(picture)).size(), 6U) << "none is reached: six are spread over the pattern";
}

TEST(TopographyFigure, OneLagAndOneChannelCanBeDrawn) {
  const Drawing lag = draw_topography(sample(8, 1));
  EXPECT_EQ(lags_of(lag), std::vector<std::string>{"0 ms"});
  EXPECT_EQ(shapes_of<Circle>(groups_of(lag, "channels")[0]).size(), 8U) << "points, not lines";
  const Drawing channel = draw_topography(sample(1, 17));
  EXPECT_TRUE(groups_of(channel, "field").empty());
  EXPECT_TRUE(has(caption_of(channel), "there are 1."));
}

TEST(TopographyFigure, FilesStaySmall) {
  TopographyPicture usual = sample(64, 64);
  fill_with_noise(usual.pattern);
  EXPECT_LT(render(draw_topography(usual), FigureFormat::svg).size(), 300'000U);
  TopographyPicture dense = sample(256, 32);
  fill_with_noise(dense.pattern);
  EXPECT_LT(render(draw_topography(dense), FigureFormat::svg).size(), 300'000U);
}

TEST(TopographyFigure, NarrowPaperTakesMoreRows) {
  const Drawing drawing = draw_topography(sample(16, 17), {.width = 90});
  const auto labels = groups_of(drawing, "lag");
  EXPECT_LT(shapes_of<Text>(labels[0])[0].at.y, shapes_of<Text>(labels[5])[0].at.y);
  for (const Group& group : groups_of(drawing, "head")) {
    for (const Circle& head : shapes_of<Circle>(group)) EXPECT_LT(head.centre.x + (1.1 * head.radius), drawing.width);
  }
}

TEST(TopographyFigure, RefusesWhatDoesNotFit) {
  const auto refused = [](auto spoil, std::initializer_list<std::string_view> words) {
    TopographyPicture picture = sample(8, 5);
    spoil(picture);
    expect_error(ErrorKind::invalid_argument, words, [&] { (void)draw_topography(picture); });
  };
  refused([](auto& p) { p.channels.pop_back(); }, {"7 names of channels", "8"});
  refused([](auto& p) { p.positions.pop_back(); }, {"7 positions"});
  refused([](auto& p) { p.lags.pop_back(); }, {"4 lags", "5"});
  refused([](auto& p) { p.lags[2] = p.lags[1]; }, {"lag 3", "sort"});
  refused([](auto& p) { p.lags[0] = {nan}; }, {"lag 1"});
  TopographyPicture empty = sample(8, 5);
  empty.pattern.setConstant(nan);
  expect_error(ErrorKind::bad_data, {"not contain a single number"}, [&] { (void)draw_topography(empty); });
  expect_error(ErrorKind::bad_data, {"not contain a single number"},
               [] { (void)draw_topography(TopographyPicture{}); });
}

}  // namespace
}  // namespace heed::report
