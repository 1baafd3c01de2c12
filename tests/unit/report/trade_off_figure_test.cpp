// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <report/figures.h>
#include <report/shapes.h>
#include <support/report_cases.h>

#include <algorithm>

namespace heed::report {
namespace {

using test::groups_of;
using test::says;
using test::shapes_of;

TradeOffCurve curve(const std::string& name, double shift, bool swept) {
  TradeOffCurve result{.name = name, .sweep = {}, .in_use = {0.93 + shift, 35, "p = 0.001"}, .participants = {}};
  if (swept) {
    for (int k = 0; k < 13; ++k) result.sweep.push_back({0.937 + shift - (0.015 * k), 64.0 / (k + 1), "p"});
  }
  for (int k = 0; k < 8; ++k)
    result.participants.push_back({0.86 + shift + (0.01 * k), 20.0 + (5 * k), std::to_string(k)});
  return result;
}

TradeOffPicture sample() {
  return {.curves = {curve("causal", 0, true), curve("smooth", 0.04, true), curve("raw", -0.3, false)},
          .chance = 0.5,
          .title = "8 participants",
          .subtitle = "p from 0.0001 to 0.1"};
}

TEST(TradeOffFigure, HasACurveAMethodAndADotAParticipant) {
  const Drawing drawing = draw_trade_off(sample());
  ASSERT_EQ(groups_of(drawing, "curve").size(), 2U) << "raw has no p";
  EXPECT_EQ(shapes_of<Polyline>(groups_of(drawing, "curve")[0])[0].pieces[0].size(), 13U);
  EXPECT_EQ(shapes_of<Circle>(groups_of(drawing, "curve")[0]).size(), 13U);
  ASSERT_EQ(groups_of(drawing, "participants").size(), 3U);
  for (const Group& group : groups_of(drawing, "participants")) EXPECT_EQ(group.shapes.size(), 8U);
  EXPECT_EQ(groups_of(drawing, "in-use").size(), 3U);
  for (const char* words :
       {"causal", "smooth", "raw", "accuracy (%), log error", "switch time (s)", "chance", "8 participants"}) {
    EXPECT_TRUE(says(drawing, words)) << words;
  }
  EXPECT_NE(drawing.description.find("causal, p = 0.001: 93 %, 35 s."), std::string::npos) << drawing.description;
}

// Ticks say where values lie: a dot between two of them must be there.
double place_of(const Drawing& drawing, const std::string& label) {
  for (const Text& text : test::texts_of(drawing)) {
    if (text.text == label && text.anchor == Anchor::middle) return text.at.x;
  }
  ADD_FAILURE() << label;
  return 0;
}

TEST(TradeOffFigure, TimesThatSpanMuchAreOnALogarithmicAxis) {
  const Drawing drawing = draw_trade_off(sample());
  const double five = place_of(drawing, "5");
  const double ten = place_of(drawing, "10");
  const double twenty = place_of(drawing, "20");
  EXPECT_NEAR(ten - five, twenty - ten, 1e-9);
  const auto dots = shapes_of<Circle>(groups_of(drawing, "participants")[0]);
  EXPECT_NEAR(dots[0].centre.x, twenty, 1e-9) << "20 s";
}

double height_of(const Drawing& drawing, const std::string& label) {
  for (const Text& text : test::texts_of(drawing)) {
    if (text.text == label && text.anchor == Anchor::end) return text.at.y - 2.5;
  }
  ADD_FAILURE() << label;
  return 0;
}

TEST(TradeOffFigure, AccuraciesNearOneHundredAreDrawnApart) {
  TradeOffPicture picture = sample();
  picture.curves[1].participants[0].accuracy = 0.95;
  picture.curves[1].participants[1].accuracy = 1;
  const Drawing drawing = draw_trade_off(picture);
  const double ninety = height_of(drawing, "90");
  const double ninety_five = height_of(drawing, "95");
  EXPECT_NEAR(height_of(drawing, "80") - ninety, ninety - ninety_five, 1e-9) << "half the error, the same way up";
  const auto dots = shapes_of<Polyline>(groups_of(drawing, "participants")[1]);
  const auto middle = [](const Polyline& square) { return (square.pieces[0][0].y + square.pieces[0][2].y) / 2; };
  EXPECT_NEAR(middle(dots[0]), ninety_five, 1e-9);
  const auto frame = shapes_of<Polyline>(groups_of(drawing, "axes")[0]).back().pieces.front();
  EXPECT_NEAR(middle(dots[1]), frame[0].y, 1e-9) << "without an error: at the upper edge";
  EXPECT_TRUE(says(drawing, "accuracy (%), log error"));
}

TEST(TradeOffFigure, AccuraciesAlikeAreOnALinearAxis) {
  TradeOffPicture picture = sample();
  picture.curves = {curve("causal", -0.2, true)};
  const Drawing drawing = draw_trade_off(picture);
  EXPECT_TRUE(says(drawing, "accuracy (%)"));
  EXPECT_NEAR(height_of(drawing, "60") - height_of(drawing, "65"), height_of(drawing, "65") - height_of(drawing, "70"),
              1e-9);
}

TEST(TradeOffFigure, TimesAlikeOrZeroAreOnALinearAxis) {
  TradeOffPicture picture = sample();
  picture.curves[0].participants[0].switch_time = 0;
  const Drawing drawing = draw_trade_off(picture);
  EXPECT_NEAR(place_of(drawing, "40") - place_of(drawing, "20"), place_of(drawing, "20") - place_of(drawing, "0"),
              1e-9);
}

// Names that begin alike are told apart by their ends.
TEST(TradeOffFigure, LongNamesAreNotCut) {
  TradeOffPicture picture = sample();
  const std::string name = "forward-backward HMM, s and -s, counted ";
  for (std::size_t k = 0; k < picture.curves.size(); ++k) picture.curves[k].name = name + (k == 0 ? "once" : "twice");
  const Drawing drawing = draw_trade_off(picture, {180});
  for (const TradeOffCurve& curve : picture.curves) EXPECT_TRUE(says(drawing, curve.name)) << curve.name;
}

TEST(TradeOffFigure, EverythingStaysInsideTheFrame) {
  for (const double width : {180.0, 88.0}) {
    const Drawing drawing = draw_trade_off(sample(), {.width = width});
    const auto frame = shapes_of<Polyline>(groups_of(drawing, "axes")[0]).back().pieces.front();
    for (const Group& group : groups_of(drawing, "participants")) {
      for (const Circle& dot : shapes_of<Circle>(group)) {
        EXPECT_GT(dot.centre.x, frame[0].x);
        EXPECT_LT(dot.centre.x, frame[2].x);
        EXPECT_GT(dot.centre.y, frame[0].y);
        EXPECT_LT(dot.centre.y, frame[2].y);
      }
    }
    EXPECT_LT(frame[2].y, drawing.height);
  }
}

TEST(TradeOffFigure, PointsWithoutAValueAreLeftOut) {
  TradeOffPicture picture = sample();
  picture.curves[0].sweep[3].accuracy.reset();
  picture.curves[1].in_use.switch_time.reset();
  picture.curves[2].participants[1].switch_time.reset();
  const Drawing drawing = draw_trade_off(picture);
  EXPECT_EQ(shapes_of<Circle>(groups_of(drawing, "curve")[0]).size(), 12U);
  EXPECT_EQ(groups_of(drawing, "in-use").size(), 2U);
  EXPECT_EQ(groups_of(drawing, "participants")[2].shapes.size(), 7U);
}

TEST(TradeOffFigure, WithoutAnySwitchThereIsNothingToDraw) {
  TradeOffPicture picture = sample();
  for (TradeOffCurve& one : picture.curves)
    one = {.name = one.name, .sweep = {}, .in_use = {0.9, {}, ""}, .participants = {}};
  try {
    (void)draw_trade_off(picture);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(std::string(error.what()).find("make artificial switches"), std::string::npos);
  }
}

TEST(TradeOffFigure, OnePointAloneCanBeDrawn) {
  const TradeOffPicture picture{
      .curves = {{.name = "raw", .sweep = {}, .in_use = {1.0, 0.0, "raw"}, .participants = {}}},
      .chance = 0.5,
      .title = "",
      .subtitle = ""};
  EXPECT_EQ(groups_of(draw_trade_off(picture), "in-use").size(), 1U);
}

}  // namespace
}  // namespace heed::report
