// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/shapes.h>
#include <report/study/figures.h>
#include <support/expect_error.h>
#include <support/legible.h>
#include <support/report_cases.h>
#include <support/study_figure_cases.h>

#include <cmath>
#include <limits>

namespace heed::report {
namespace {

using test::expect_error;
using test::expect_legible;
using test::groups_of;
using test::says;
using test::shapes_of;

StripPicture sample(int participants, std::size_t panels = 2) {
  StripPicture picture{.rows = {"raw", "Markov chain", "causal", "forward-backward, with p chosen to be slow"},
                       .panels = {},
                       .title = "Methods compared",
                       .subtitle = "p = 0.001",
                       .stamp = "simulated data"};
  RandomStream random(4, 1);
  for (std::size_t k = 0; k < panels; ++k) {
    StripPanel panel{.measure = k == 0 ? test::accuracy_axis() : test::time_axis(), .strips = {}};
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
      const auto rank = static_cast<double>(row);
      const test::Spread spread =
          k == 0 ? test::Spread{0.6 + (0.1 * rank), 0.03, 0, 1} : test::Spread{80 - (25 * rank), 4, 1, 90};
      panel.strips.push_back({test::scattered(random, participants, spread), PublishedMark{spread.mean, "Table II"}});
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

// One strip of these accuracies.
StripPicture one_strip(const std::vector<double>& accuracies) {
  return {.rows = {"causal"},
          .panels = {{test::accuracy_axis(), {{test::plotted(accuracies), PublishedMark{0.89, "Table II"}}}}},
          .title = "",
          .subtitle = "",
          .stamp = ""};
}

double tick_place(const Drawing& drawing, const std::string& label) {
  for (const Text& text : shapes_of<Text>(groups_of(drawing, "axes")[0])) {
    if (text.text == label && text.anchor == Anchor::middle) return text.at.x;
  }
  ADD_FAILURE() << label;
  return 0;
}

TEST(StripFigure, ValuesLieBetweenTheTicks) {
  const Drawing drawing = draw_strips(one_strip({0.6, 0.7, 0.8, 0.9, 1.0}));
  const double eighty = tick_place(drawing, "80");
  const double per_cent = (tick_place(drawing, "100") - eighty) / 20;
  const auto dots = shapes_of<Circle>(groups_of(drawing, "participants").at(0));
  ASSERT_EQ(dots.size(), 5U);
  for (std::size_t k = 0; k < dots.size(); ++k) {
    EXPECT_NEAR(dots[k].centre.x, eighty + (per_cent * (-20 + (10 * static_cast<double>(k)))), 1e-9);
  }
  EXPECT_EQ(dots[1].hint, "sub-2, causal: accuracy 70.0 %");
  const auto mean = shapes_of<Polyline>(groups_of(drawing, "mean 0").at(0)).at(0);
  EXPECT_NEAR(mean.pieces[0][0].x, eighty, 1e-9);
  EXPECT_EQ(mean.hint, "causal: mean accuracy 80.0 %, interquartile range 70.0 to 90.0 %, 5 participants.");
  const auto bar = shapes_of<Polyline>(groups_of(drawing, "bar 0").at(0)).at(0);
  EXPECT_NEAR(bar.pieces[0][0].x, eighty - (10 * per_cent), 1e-9);
  EXPECT_NEAR(bar.pieces[0][1].x, eighty + (10 * per_cent), 1e-9);
  EXPECT_EQ(bar.hint, "causal: interquartile range of accuracy 70.0 to 90.0 %");
  const auto star = shapes_of<Polyline>(groups_of(drawing, "published").at(0)).at(0);
  EXPECT_NEAR(star.pieces[0][0].x, eighty + (9 * per_cent), 1e-9);
  EXPECT_EQ(star.hint, "published, causal: accuracy 89.0 % (Table II)");
  EXPECT_FALSE(star.fill) << "open";
  EXPECT_TRUE(says(drawing, "80.0")) << "the mean in words";
}

// The second panel, whose times crowd on a logarithmic axis, has smaller dots, which may overlap by a quarter.
TEST(StripFigure, NoDotHidesAnother) {
  const Drawing drawing = draw_strips(sample(20));
  std::size_t strip = 0;
  for (const Group& group : groups_of(drawing, "participants")) {
    const auto dots = shapes_of<Circle>(group);
    ASSERT_EQ(dots.size(), 20U);
    const double share = strip++ < 4 ? 1 : 0.75;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double apart = std::hypot(dots[i].centre.x - dots[j].centre.x, dots[i].centre.y - dots[j].centre.y);
        EXPECT_GE(apart, (share * 2 * dots[i].radius) - 1e-9) << dots[i].hint << " on " << dots[j].hint;
      }
    }
  }
}

TEST(StripFigure, StripsKeepToTheirRows) {
  const Drawing drawing = draw_strips(one_strip(std::vector<double>(60, 0.9)));
  const auto dots = shapes_of<Circle>(groups_of(drawing, "participants")[0]);
  const auto mean = shapes_of<Polyline>(groups_of(drawing, "mean 0")[0])[0].pieces[0];
  const double middle = (mean[0].y + mean[1].y) / 2;
  for (const Circle& dot : dots) EXPECT_LE(std::abs(dot.centre.y - middle) + dot.radius, 10.5);
}

TEST(StripFigure, EverythingIsLegible) {
  for (const double width : {180.0, 100.0, 88.0}) {
    for (const int participants : {1, 13, 20}) {
      for (const std::size_t panels : {1U, 2U, 3U}) {
        const Drawing drawing = draw_strips(sample(participants, panels), {.width = width});
        expect_legible(drawing);
        for (const char* words : {"participant", "mean", "interquartile range", "published", "simulated data", "raw"}) {
          EXPECT_TRUE(says(drawing, words)) << words;
        }
      }
    }
  }
}

TEST(StripFigure, NarrowPanelsStandBelowEachOtherWithTheirNames) {
  EXPECT_EQ(groups_of(draw_strips(sample(5)), "names").size(), 1U);
  const Drawing narrow = draw_strips(sample(5), {.width = 88});
  ASSERT_EQ(groups_of(narrow, "names").size(), 2U);
  const auto first = shapes_of<Text>(groups_of(narrow, "names")[0])[0].at;
  const auto second = shapes_of<Text>(groups_of(narrow, "names")[1])[0].at;
  EXPECT_EQ(first.x, second.x);
  EXPECT_GT(second.y, first.y);
}

TEST(StripFigure, LongNamesStayOutOfThePanel) {
  StripPicture picture = sample(3);
  picture.rows[1] = std::string(200, 'm');
  picture.rows[2] = "many words that go on and on until nobody would like to read them any more, and then some";
  for (const double width : {180.0, 88.0}) {
    const Drawing drawing = draw_strips(picture, {.width = width});
    expect_legible(drawing);
    const double left = shapes_of<Polyline>(groups_of(drawing, "axes")[0]).back().pieces[0].front().x;
    for (const Text& name : shapes_of<Text>(groups_of(drawing, "names")[0])) {
      EXPECT_LE(test::box_of(name).right, left) << name.text;
    }
  }
}

TEST(StripFigure, NamesOfSettingsAreWhole) {
  StripPicture picture = sample(3);
  picture.rows[3] = "forward-backward HMM, three conversations, sustained trials, switches every 300 s";
  for (const double width : {180.0, 88.0}) {
    const Drawing drawing = draw_strips(picture, {.width = width});
    expect_legible(drawing);
    std::string names;
    for (const Text& line : shapes_of<Text>(groups_of(drawing, "names")[0])) names += line.text + " ";
    EXPECT_TRUE(names.ends_with(picture.rows[3] + " ")) << names;
  }
}

TEST(StripFigure, TimesThatSpanMuchAreOnALogarithmicAxis) {
  StripPicture picture{
      .rows = {"a", "b"}, .panels = {{test::time_axis(), {}}}, .title = "", .subtitle = "", .stamp = ""};
  picture.panels[0].strips = {{test::plotted({2}), {}}, {test::plotted({50}), {}}};
  const Drawing wide = draw_strips(picture);
  EXPECT_NEAR(tick_place(wide, "10") - tick_place(wide, "5"), tick_place(wide, "20") - tick_place(wide, "10"), 1e-9);
  EXPECT_TRUE(says(wide, "switch time (s), log scale"));
  picture.panels[0].strips[0] = {test::plotted({0}), {}};
  const Drawing from_zero = draw_strips(picture);
  EXPECT_NEAR(tick_place(from_zero, "20") - tick_place(from_zero, "0"),
              tick_place(from_zero, "40") - tick_place(from_zero, "20"), 1e-9);
}

TEST(StripFigure, WhatIsNotKnownIsSaidSo) {
  StripPicture picture = sample(3);
  picture.panels[1].strips[0] = {};
  picture.panels[1].strips[1].values.mean = std::numeric_limits<double>::quiet_NaN();
  const Drawing drawing = draw_strips(picture);
  EXPECT_TRUE(says(drawing, "n/a"));
  EXPECT_EQ(groups_of(drawing, "mean 0").size(), 1U) << "of the other panel";
  EXPECT_EQ(groups_of(drawing, "mean 1").size(), 1U);
  EXPECT_EQ(drawing.description.find("nan"), std::string::npos) << drawing.description;
}

TEST(StripFigure, DescribesItselfInWords) {
  StripPicture picture = one_strip({0.9});
  picture.stamp = "simulated data";
  EXPECT_EQ(
      draw_strips(picture).description,
      "1 setting; each dot is one participant. causal: mean accuracy 90.0 %, interquartile range 90.0 to 90.0 %, 1 "
      "participant. Simulated data.");
}

TEST(StripFigure, TheSamePictureGivesTheSameBytes) {
  EXPECT_EQ(render(draw_strips(sample(13)), FigureFormat::svg), render(draw_strips(sample(13)), FigureFormat::svg));
}

TEST(StripFigure, RefusesWhatDoesNotMatch) {
  StripPicture picture = sample(3);
  picture.panels[1].strips.pop_back();
  expect_error(ErrorKind::invalid_argument, {"panel 2", "3 strips for 4 rows", "give one each"},
               [&] { (void)draw_strips(picture); });
  StripPicture empty = sample(3);
  for (StripPanel& panel : empty.panels) {
    for (Strip& strip : panel.strips) strip = {};
  }
  expect_error(ErrorKind::bad_data, {"no setting has a value"}, [&] { (void)draw_strips(empty); });
  expect_error(ErrorKind::bad_data, {"no setting"}, [] { (void)draw_strips({}); });
}

}  // namespace
}  // namespace heed::report
