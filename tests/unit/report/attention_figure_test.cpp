// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>
#include <report/shapes.h>
#include <support/legible.h>
#include <support/report_cases.h>

#include <algorithm>
#include <limits>

namespace heed::report {
namespace {

using test::expect_legible;
using test::groups_of;
using test::says;
using test::shapes_of;
using test::tracked_case;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

class AttentionOfSpeakers : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(TwoToSix, AttentionOfSpeakers, testing::Range(2, 7));

TEST_P(AttentionOfSpeakers, EverythingIsThereAndLegible) {
  for (const double width : {180.0, 88.0}) {
    auto one = tracked_case(GetParam(), 600, 90, 12);
    one.evidence[0].middleRows(200, 20).setConstant(missing);
    one.tracked.trials[0].attention.attended[90] = unknown_speaker;
    const Drawing drawing = draw_attention(one.picture(), {.width = width});
    EXPECT_NEAR(drawing.width, width * 72 / 25.4, 1e-9);
    ASSERT_EQ(groups_of(drawing, "posterior").size(), 1U);
    EXPECT_EQ(std::ssize(groups_of(drawing, "posterior")[0].shapes), GetParam());
    EXPECT_EQ(std::ssize(groups_of(drawing, "raw")[0].shapes), GetParam() + 1);
    EXPECT_EQ(std::ssize(groups_of(drawing, "scores")[0].shapes), GetParam());
    EXPECT_EQ(shapes_of<Polyline>(groups_of(drawing, "detected")[0]).size(), 6U);
    for (const std::string& name : one.tracked.speakers) EXPECT_TRUE(says(drawing, name)) << name;
    for (const char* words : {"listener", "by hand", "attended", "probability", "score", "time (min)", "true switch",
                              "detected, with delay", "attention unknown", "missing window"}) {
      EXPECT_TRUE(says(drawing, words)) << words;
    }
    expect_legible(drawing);
  }
}

TEST(AttentionFigure, ExplainsOnlyWhatIsInIt) {
  const Drawing drawing = draw_attention(tracked_case(2, 300, 1000).picture());
  for (const char* words : {"true switch", "detected, with delay", "missed", "other change of decision",
                            "attention unknown", "missing window", "change of decision"}) {
    EXPECT_FALSE(says(drawing, words)) << words;
  }
}

TEST(AttentionFigure, WithoutTruthThereIsNoRibbon) {
  auto one = tracked_case(2, 300, 100);
  std::ranges::fill(one.tracked.trials[0].attention.attended, unknown_speaker);
  const Drawing drawing = draw_attention(one.picture());
  EXPECT_TRUE(groups_of(drawing, "truth").empty());
  EXPECT_FALSE(says(drawing, "attended"));
  EXPECT_TRUE(says(drawing, "change of decision"));
  EXPECT_FALSE(says(drawing, "attention unknown"));
  EXPECT_NE(drawing.description.find("unknown"), std::string::npos);
}

TEST(AttentionFigure, DescribesItselfInWords) {
  const Drawing drawing = draw_attention(tracked_case(3, 400, 100).picture());
  EXPECT_EQ(drawing.title, "listener: by hand");
  EXPECT_EQ(drawing.description,
            "Probability over time that each of 3 speakers is attended: 400 windows in 1 trial. 3 true switches of "
            "attention, 3 detected, 0 other changes of the decision.");
}

TEST(AttentionFigure, ManyTrialsAreLegibleInFourRows) {
  for (const Index trials : {2, 5, 12, 60, 300}) {
    auto one = tracked_case(2, 120, 60, 5);
    for (Index k = 1; k < trials; ++k) test::add_trial(one, 120, 60, 5);
    for (std::size_t k = 0; k < one.tracked.trials.size(); ++k) {
      one.tracked.trials[k].name = std::to_string(k + 1);
      one.tracked.trials[k].onset = Seconds{120 * static_cast<double>(k)};
    }
    const Drawing drawing = draw_attention(one.picture());
    EXPECT_EQ(std::ssize(groups_of(drawing, "posterior")), trials);
    EXPECT_LE(groups_of(drawing, "labels").size(), 4U);
    EXPECT_LE(drawing.height / points_per_millimetre, 225) << "fits a page";
    if (trials <= 12) {
      EXPECT_EQ(std::ssize(groups_of(drawing, "trial")), trials);
    }
    expect_legible(drawing);
  }
}

TEST(AttentionFigure, LongNamesAreCut) {
  auto one = tracked_case(2, 600, 100);
  one.tracked.speakers = {std::string(200, 'm'), "<&>\xFF"};
  AttentionPicture picture = one.picture();
  picture.title = std::string(300, 'W');
  picture.subtitle = std::string(300, 'W');
  expect_legible(draw_attention(picture, {.width = 88}));
}

TEST(AttentionFigure, TenHoursStayBelowHalfAMegabyte) {
  struct Hours {
    Index speakers, trials, block;
  };
  for (const Hours& hours : {Hours{2, 1, 300}, Hours{6, 1, 60}, Hours{6, 4, 20}, Hours{2, 4, 1}}) {
    auto one = tracked_case(hours.speakers, 36000 / hours.trials, hours.block, 3);
    for (Index k = 1; k < hours.trials; ++k) test::add_trial(one, 36000 / hours.trials, hours.block, 3);
    for (std::size_t k = 0; k < one.evidence.size(); ++k) {
      RandomStream random(k);
      Matrix& posteriors = one.tracked.trials[k].posteriors.values;
      for (Index t = 0; t < posteriors.rows(); ++t) {
        for (Index j = 0; j < posteriors.cols(); ++j) posteriors(t, j) *= random.uniform() + 0.01;
        posteriors.row(t) /= posteriors.row(t).sum();
        if (random.uniform() < 0.02) one.evidence[k].row(t).setConstant(missing);
      }
    }
    const Drawing drawing = draw_attention(one.picture());
    EXPECT_LT(render(drawing, FigureFormat::svg).size(), 500000U) << hours.speakers << " " << hours.trials;
    EXPECT_LT(render(drawing, FigureFormat::pdf).size(), 500000U) << hours.speakers << " " << hours.trials;
  }
}

TEST(AttentionFigure, SaysWhereWindowsOrSwitchesArePutTogether) {
  const Drawing few = draw_attention(tracked_case(2, 300, 100).picture());
  EXPECT_TRUE(says(few, "raw"));
  EXPECT_TRUE(groups_of(few, "caption").empty());
  const Drawing many = draw_attention(tracked_case(2, 3600, 300).picture());
  EXPECT_TRUE(says(many, "raw, share"));
  const auto words = shapes_of<Text>(groups_of(many, "caption").at(0));
  EXPECT_NE(words[0].text.find("share of windows within 60 s"), std::string::npos) << words[0].text;
  EXPECT_EQ(words[0].text.find("\u00d7"), std::string::npos) << "all switches have their mark";
  const Drawing crowded = draw_attention(tracked_case(2, 36000, 20).picture(), {.width = 300});
  std::string caption;
  for (const Text& line : shapes_of<Text>(groups_of(crowded, "caption").at(0))) caption += line.text;
  EXPECT_NE(caption.find("\u00d7 and their number"), std::string::npos) << caption;
}

TEST(AttentionFigure, WithoutLabelsNoRoomIsKeptForThem) {
  auto one = tracked_case(2, 300, 100);
  const double labelled = draw_attention(one.picture()).height;
  std::ranges::fill(one.tracked.trials[0].attention.attended, unknown_speaker);
  EXPECT_LE(draw_attention(one.picture()).height, labelled - 8);
}

TEST(AttentionFigure, OneWindowAndEmptyTrialsCanBeDrawn) {
  auto one = tracked_case(2, 1);
  test::add_trial(one, 0, 100, 0);
  const Drawing drawing = draw_attention(one.picture());
  EXPECT_EQ(groups_of(drawing, "posterior").size(), 1U);
  EXPECT_TRUE(says(drawing, "time (s)"));
  expect_legible(drawing);
  for (const FigureFormat format : {FigureFormat::svg, FigureFormat::pdf, FigureFormat::png}) {
    EXPECT_GT(render(drawing, format).size(), 500U);
  }
}

TEST(AttentionFigure, AllWindowsMissingOrAllScoresEqualCanBeDrawn) {
  auto one = tracked_case(2, 50);
  one.evidence[0].setConstant(missing);
  EXPECT_EQ(render(draw_attention(one.picture()), FigureFormat::svg).find("nan"), std::string::npos);
  one.evidence[0].setConstant(0.25);
  EXPECT_EQ(render(draw_attention(one.picture()), FigureFormat::svg).find("nan"), std::string::npos);
  one.evidence[0](3, 1) = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(render(draw_attention(one.picture()), FigureFormat::svg).find("inf"), std::string::npos);
}

TEST(AttentionFigure, RefusesWhatDoesNotFitTogether) {
  const auto expect_error = [](const AttentionPicture& picture, ErrorKind kind, double width = 180) {
    try {
      (void)draw_attention(picture, {.width = width});
      ADD_FAILURE() << "drawn";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
    }
  };
  const auto good = tracked_case(2, 10);
  auto picture = good.picture();
  picture.scores.clear();
  expect_error(picture, ErrorKind::invalid_argument);
  auto bad = tracked_case(2, 10);
  bad.evidence[0].conservativeResize(9, 2);
  expect_error(bad.picture(), ErrorKind::invalid_argument);
  bad = tracked_case(2, 10);
  bad.tracked.speakers.emplace_back("third");
  expect_error(bad.picture(), ErrorKind::invalid_argument);
  bad = tracked_case(2, 10);
  bad.tracked.trials[0].decisions.states.pop_back();
  expect_error(bad.picture(), ErrorKind::invalid_argument);
  expect_error(tracked_case(2, 0).picture(), ErrorKind::bad_data);
  for (const double width : {0.0, -5.0, 30.0, 1e9, missing})
    expect_error(good.picture(), ErrorKind::invalid_argument, width);
}

}  // namespace
}  // namespace heed::report
