// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/figures.h>
#include <report/shapes.h>
#include <support/expect_error.h>
#include <support/report_cases.h>

#include <limits>

namespace heed::report {
namespace {

using test::expect_error;
using test::groups_of;
using test::says;
using test::shapes_of;

ParticipantDotsPicture sample(int participants) {
  ParticipantDotsPicture picture{
      .methods = {"raw", "causal"}, .participants = {}, .chance = 0.5, .title = "group", .subtitle = ""};
  for (int k = 0; k < participants; ++k) {
    const double raw = 0.52 + (0.2 * (k * 37 % participants) / participants);  // in no order
    picture.participants.push_back({"sub-" + std::to_string(k + 1), {raw, raw + 0.2}, 0.55});
  }
  return picture;
}

// The raw dots, from left to right.
std::vector<Circle> raw_dots(const Drawing& drawing) {
  std::vector<Circle> dots;
  for (const Group& group : groups_of(drawing, "participant")) {
    for (const Circle& dot : shapes_of<Circle>(group)) dots.push_back(dot);
  }
  return dots;
}

TEST(ParticipantDotsFigure, ParticipantsAreSortedByTheFirstMethod) {
  const Drawing drawing = draw_participant_dots(sample(13));
  const auto dots = raw_dots(drawing);
  ASSERT_EQ(dots.size(), 13U);
  for (std::size_t k = 1; k < dots.size(); ++k) {
    EXPECT_GT(dots[k].centre.x, dots[k - 1].centre.x);
    EXPECT_LT(dots[k].centre.y, dots[k - 1].centre.y) << "higher up";
  }
  EXPECT_EQ(dots[0].hint, "sub-1, raw: 52.0 %");
  EXPECT_TRUE(says(drawing, "sub-13"));
  EXPECT_TRUE(says(drawing, "13 participants, sorted by raw"));
  EXPECT_TRUE(says(drawing, "chance"));
  EXPECT_NE(drawing.description.find("raw is better than chance in 11 of 13."), std::string::npos)
      << drawing.description;
}

TEST(ParticipantDotsFigure, TheRangeOfChanceEndsAtEachBound) {
  ParticipantDotsPicture picture = sample(2);
  picture.participants[0].accuracies = {0.6, 0.7};
  picture.participants[0].chance_bound = 0.6;  // its dot lies on the edge
  picture.participants[1].accuracies = {0.7, 0.8};
  picture.participants[1].chance_bound = 0.55;
  const Drawing drawing = draw_participant_dots(picture);
  const auto steps = shapes_of<Polyline>(groups_of(drawing, "chance-range")[0])[0].pieces[0];
  ASSERT_EQ(steps.size(), 6U);
  const auto dots = raw_dots(drawing);
  EXPECT_NEAR(steps[0].y, dots[0].centre.y, 1e-9);
  EXPECT_LT(steps[0].x, dots[0].centre.x);
  EXPECT_GT(steps[1].x, dots[0].centre.x);
  EXPECT_GT(steps[2].y, steps[1].y) << "the second bound is lower";
}

TEST(ParticipantDotsFigure, MeansStandApart) {
  ParticipantDotsPicture picture = sample(2);
  picture.participants[0].accuracies = {0.6, {}};
  picture.participants[1].accuracies = {0.8, 0.9};
  const Drawing drawing = draw_participant_dots(picture);
  const auto mean = shapes_of<Circle>(groups_of(drawing, "means")[0]).at(0);
  const auto dots = raw_dots(drawing);
  EXPECT_NEAR(mean.centre.y, (dots[0].centre.y + dots[1].centre.y) / 2, 1e-9);
  EXPECT_GT(mean.centre.x, dots[1].centre.x);
  EXPECT_EQ(mean.hint, "mean, raw: 70.0 %");
  EXPECT_NE(drawing.description.find("Mean of causal: 90.0 %."), std::string::npos);
}

TEST(ParticipantDotsFigure, OneParticipantCanBeDrawn) {
  const Drawing drawing = draw_participant_dots(sample(1));
  EXPECT_EQ(raw_dots(drawing).size(), 1U);
  EXPECT_TRUE(says(drawing, "1 participant"));
}

TEST(ParticipantDotsFigure, ThreeHundredFitWithoutTheirNames) {
  const Drawing drawing = draw_participant_dots(sample(300));
  const auto dots = raw_dots(drawing);
  ASSERT_EQ(dots.size(), 300U);
  EXPECT_FALSE(says(drawing, "sub-1"));
  EXPECT_LE(2 * dots[0].radius, 1.7);
  EXPECT_EQ(dots.back().hint.substr(0, 4), "sub-") << "the mouse still tells who it is";
  EXPECT_LT(render(drawing, FigureFormat::svg).size(), 200'000U);
  for (const Group& group : groups_of(drawing, "participant")) EXPECT_EQ(group.shapes.size(), 2U) << "no lines";
}

TEST(ParticipantDotsFigure, LongNamesClimb) {
  ParticipantDotsPicture picture = sample(20);
  for (auto& one : picture.participants) one.participant = "sub-listener" + one.participant;
  const auto names = shapes_of<Text>(groups_of(draw_participant_dots(picture), "names")[0]);
  EXPECT_TRUE(names[0].climbs);
  EXPECT_FALSE(shapes_of<Text>(groups_of(draw_participant_dots(sample(13)), "names")[0])[0].climbs);
}

TEST(ParticipantDotsFigure, WhatIsNotKnownComesLastAndIsSaid) {
  ParticipantDotsPicture picture = sample(5);
  picture.participants[0].accuracies = {{}, {}};
  picture.participants[0].chance_bound.reset();
  picture.participants[2].accuracies[1].reset();
  const Drawing drawing = draw_participant_dots(picture);
  EXPECT_EQ(raw_dots(drawing).size(), 4U);
  EXPECT_TRUE(says(drawing, "n/a"));
  const auto names = shapes_of<Text>(groups_of(drawing, "names")[0]);
  EXPECT_EQ(names[4].text, "sub-1");
}

TEST(ParticipantDotsFigure, WithoutBoundsThereIsNoBand) {
  ParticipantDotsPicture picture = sample(3);
  for (auto& one : picture.participants) one.chance_bound.reset();
  const Drawing drawing = draw_participant_dots(picture);
  EXPECT_TRUE(groups_of(drawing, "chance-range").empty());
  EXPECT_FALSE(says(drawing, "compatible with chance (95 %)"));
  EXPECT_EQ(drawing.description.find("chance"), std::string::npos);
}

TEST(ParticipantDotsFigure, PerfectAndHopelessStayInsideTheFrame) {
  ParticipantDotsPicture picture = sample(2);
  picture.participants[0].accuracies = {0, 1};
  const Drawing drawing = draw_participant_dots(picture);
  const auto frame = shapes_of<Polyline>(groups_of(drawing, "axes")[0]).back().pieces[0];
  EXPECT_LT(raw_dots(drawing)[0].centre.y + raw_dots(drawing)[0].radius, frame[2].y);
  EXPECT_GT(shapes_of<Polyline>(groups_of(drawing, "participant")[0])[1].pieces[0][0].y, frame[0].y);
}

TEST(ParticipantDotsFigure, RefusesWhatIsNoAccuracy) {
  const auto refused = [](ErrorKind kind, auto spoil, std::initializer_list<std::string_view> words) {
    ParticipantDotsPicture picture = sample(3);
    spoil(picture);
    expect_error(kind, words, [&] { (void)draw_participant_dots(picture); });
  };
  refused(ErrorKind::invalid_argument, [](auto& p) { p.participants[1].accuracies.pop_back(); },
          {"sub-2", "1 accuracies", "2 methods"});
  refused(ErrorKind::invalid_argument, [](auto& p) { p.participants[1].accuracies[0] = 58; },
          {"sub-2", "58", "0 and 1"});
  refused(ErrorKind::invalid_argument,
          [](auto& p) { p.participants[0].accuracies[0] = std::numeric_limits<double>::quiet_NaN(); }, {"sub-1"});
  refused(ErrorKind::bad_data, [](auto& p) { p.participants.clear(); }, {"nothing to draw"});
  refused(ErrorKind::bad_data,
          [](auto& p) {
            for (auto& one : p.participants) one.accuracies = {{}, {}};
          },
          {"nothing to draw"});
}

}  // namespace
}  // namespace heed::report
