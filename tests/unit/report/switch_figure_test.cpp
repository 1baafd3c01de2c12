// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/shapes.h>
#include <report/study/figures.h>
#include <support/expect_error.h>
#include <support/legible.h>
#include <support/report_cases.h>

#include <algorithm>
#include <limits>

namespace heed::report {
namespace {

using test::area_of;
using test::expect_error;
using test::expect_legible;
using test::groups_of;
using test::says;
using test::shapes_of;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Attention moves from the first speaker to the second after 50 of 120 windows; a method follows so much later.
MethodTrace trace(const std::string& name, Index speakers, Index delay, double certainty) {
  MethodTrace result{.name = name, .posteriors = Matrix::Constant(120, speakers, 0)};
  const double rest = (1 - certainty) / static_cast<double>(speakers - 1);
  for (Index t = 0; t < 120; ++t) {
    result.posteriors.row(t).setConstant(rest);
    result.posteriors(t, t < 50 + delay ? 0 : 1) = certainty;
  }
  return result;
}

SwitchPicture sample(Index speakers) {
  SwitchPicture picture{.speakers = {},
                        .attention = {},
                        .onset = Seconds{250},
                        .window = Seconds{1},
                        .traces = {trace("causal", speakers, 7, 0.9), trace("forward-backward", speakers, -2, 0.99),
                                   trace("Viterbi", speakers, 3, 1)},
                        .title = "A switch",
                        .subtitle = "of sub-07",
                        .stamp = "simulated data"};
  for (Index j = 0; j < speakers; ++j) picture.speakers.push_back("speaker " + std::to_string(j + 1));
  for (int t = 0; t < 120; ++t) picture.attention.attended.push_back(t < 50 ? 0 : 1);
  return picture;
}

class SwitchOfSpeakers : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(TwoToFive, SwitchOfSpeakers, testing::Range(2, 6));

TEST_P(SwitchOfSpeakers, EverythingIsThereAndLegible) {
  for (const double width : {180.0, 100.0, 88.0}) {
    const Drawing drawing = draw_switch(sample(GetParam()), {.width = width});
    expect_legible(drawing);
    EXPECT_EQ(groups_of(drawing, "truth").size(), 1U);
    ASSERT_EQ(groups_of(drawing, "posterior").size(), 3U);
    for (const Group& panel : groups_of(drawing, "posterior")) EXPECT_EQ(std::ssize(panel.shapes), GetParam());
    EXPECT_EQ(groups_of(drawing, "half").size(), GetParam() == 2 ? 3U : 0U);
    EXPECT_EQ(groups_of(drawing, "axes").size(), 1U);
    for (const char* words : {"causal", "forward-backward", "Viterbi", "time (s)", "probability of being attended",
                              "attended", "true switch", "detected, with delay", "simulated data", "speaker 2"}) {
      EXPECT_TRUE(says(drawing, words)) << words;
    }
  }
}

// Areas are nested: the last is that of the first speaker.
TEST(SwitchFigure, ShadedAreasAreTheProbabilities) {
  const Drawing drawing = draw_switch(sample(2));
  const std::vector<double> first_speaker{(57 * 0.9 + 63 * 0.1) / 120, (48 * 0.99 + 72 * 0.01) / 120, 53.0 / 120};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto areas = shapes_of<Polyline>(groups_of(drawing, "posterior")[k]);
    EXPECT_NEAR(area_of(areas[1].pieces[0]) / area_of(areas[0].pieces[0]), first_speaker[k], 1e-6);
    EXPECT_EQ(areas[1].fill, palette(0));
    EXPECT_EQ(areas[1].hint, "speaker 1");
  }
}

TEST(SwitchFigure, OneLineCrossesTheRibbonAndEveryPanelAtTheSwitch) {
  const Drawing drawing = draw_switch(sample(2));
  const auto lines = shapes_of<Polyline>(groups_of(drawing, "true-switches").at(0)).at(0);
  ASSERT_EQ(lines.pieces.size(), 4U);
  const auto ribbon = shapes_of<Polyline>(groups_of(drawing, "truth")[0])[0].pieces[0];
  const double moves = ribbon[1].x;
  for (const auto& piece : lines.pieces) EXPECT_NEAR(piece[0].x, moves, 1e-9);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto panel = shapes_of<Polyline>(groups_of(drawing, "posterior")[k])[0].pieces[0];
    const auto [top, bottom] = std::ranges::minmax(panel, {}, &Point::y);
    EXPECT_NEAR(lines.pieces[k + 1][0].y, top.y, 1e-9);
    EXPECT_NEAR(lines.pieces[k + 1][1].y, bottom.y, 1e-9);
  }
  const auto ticks = shapes_of<Text>(groups_of(drawing, "axes")[0]);
  const auto found = std::ranges::find(ticks, "300", &Text::text);
  ASSERT_NE(found, ticks.end());
  EXPECT_NEAR(found->at.x, moves, 1e-9) << "on the recording's clock";
}

TEST(SwitchFigure, SaysWhenItWasNoticed) {
  const Drawing drawing = draw_switch(sample(2));
  EXPECT_TRUE(says(drawing, "+7 s"));
  EXPECT_TRUE(says(drawing, "+3 s"));
  EXPECT_EQ(drawing.description,
            "Probability, from 250 s to 370 s, that each of 2 speakers is attended. Attention moves to speaker 2 "
            "at 300 s. causal: detected at 307 s. forward-backward: detected at 298 s. Viterbi: detected at 303 s. "
            "Simulated data.");
}

TEST(SwitchFigure, MissingWindowsAreHatchedAndBelieveNothing) {
  SwitchPicture picture = sample(2);
  picture.traces[0].posteriors.middleRows(80, 12).setConstant(missing);
  const Drawing drawing = draw_switch(picture);
  ASSERT_EQ(groups_of(drawing, "missing").size(), 1U);
  const auto shapes = shapes_of<Polyline>(groups_of(drawing, "missing")[0]);
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(shapes[0].hint, "missing windows");
  const auto whole = shapes_of<Polyline>(groups_of(drawing, "posterior")[1])[0].pieces[0];
  EXPECT_NEAR(area_of(shapes[0].pieces[0]) / area_of(whole), 0.1, 1e-9);
  EXPECT_TRUE(says(drawing, "missing window"));
  EXPECT_EQ(render(drawing, FigureFormat::svg).find("nan"), std::string::npos);
  expect_legible(drawing);
}

TEST(SwitchFigure, ATieHoldsTheDecision) {
  SwitchPicture picture = sample(2);
  picture.traces = {trace("tied", 2, 0, 1)};
  picture.traces[0].posteriors.middleRows(50, 10).setConstant(0.5);
  EXPECT_TRUE(says(draw_switch(picture), "+10 s"));
}

TEST(SwitchFigure, MarksAndNamesShareALaneOnlyWithRoom) {
  SwitchPicture picture = sample(2);
  const double apart = draw_switch(picture).height;
  for (auto& label : picture.attention.attended) label = 0;
  for (std::size_t t = 3; t < 120; ++t) picture.attention.attended[t] = 1;
  const Drawing early = draw_switch(picture);
  expect_legible(early);
  EXPECT_GT(early.height, apart);
}

TEST(SwitchFigure, WithoutTruthThereIsNoRibbon) {
  SwitchPicture picture = sample(2);
  std::ranges::fill(picture.attention.attended, unknown_speaker);
  const Drawing drawing = draw_switch(picture);
  EXPECT_TRUE(groups_of(drawing, "truth").empty());
  EXPECT_TRUE(groups_of(drawing, "true-switches").empty());
  EXPECT_TRUE(says(drawing, "change of decision"));
  expect_legible(drawing);
}

TEST(SwitchFigure, LongNamesAreCut) {
  SwitchPicture picture = sample(2);
  picture.traces[0].name = std::string(200, 'm');
  picture.speakers[0] = std::string(200, 'w');
  expect_legible(draw_switch(picture, {.width = 88}));
}

TEST(SwitchFigure, TheSamePictureGivesTheSameBytes) {
  EXPECT_EQ(render(draw_switch(sample(3)), FigureFormat::svg), render(draw_switch(sample(3)), FigureFormat::svg));
}

TEST(SwitchFigure, RefusesWhatDoesNotMatch) {
  const auto refused = [](ErrorKind kind, std::initializer_list<std::string_view> words, const SwitchPicture& picture) {
    expect_error(kind, words, [&] { (void)draw_switch(picture); });
  };
  SwitchPicture picture = sample(2);
  picture.attention.attended.pop_back();
  refused(ErrorKind::invalid_argument, {"causal", "120 windows", "119 labels", "one row per window"}, picture);
  picture = sample(2);
  picture.speakers.emplace_back("third");
  refused(ErrorKind::invalid_argument, {"2 speakers", "3 names"}, picture);
  picture = sample(2);
  picture.attention.attended[4] = 2;
  refused(ErrorKind::invalid_argument, {"speaker 3 of 2"}, picture);
  picture = sample(2);
  picture.window = Seconds{0};
  refused(ErrorKind::invalid_argument, {"window length of 0 s"}, picture);
  picture = sample(2);
  picture.traces.clear();
  refused(ErrorKind::invalid_argument, {"no method"}, picture);
  picture = sample(2);
  picture.attention.attended.clear();
  for (MethodTrace& one : picture.traces) one.posteriors.resize(0, 2);
  refused(ErrorKind::bad_data, {"no window"}, picture);
}

}  // namespace
}  // namespace heed::report
