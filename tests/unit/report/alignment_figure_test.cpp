// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/figures.h>
#include <report/shapes.h>
#include <support/expect_error.h>
#include <support/report_cases.h>

#include <cmath>
#include <limits>

namespace heed::report {
namespace {

using test::expect_error;
using test::groups_of;
using test::says;
using test::shapes_of;

const double nan = std::numeric_limits<double>::quiet_NaN();

// From -0.5 to 0.5 s in steps of 0.1; a hill around the peak.
AlignmentPicture sample(double peak = 0) {
  AlignmentPicture picture;
  picture.title = "in step?";
  for (int k = -5; k <= 5; ++k) {
    picture.shifts.push_back({k / 10.0});
    picture.scores.push_back(0.1 * std::exp(-std::pow((k / 10.0) - peak, 2) / 0.02));
  }
  picture.expected_first = {-0.05};
  picture.expected_last = {0.05};
  picture.peak = Seconds{peak};
  return picture;
}

// Where a number below the plot stands.
double place_of(const Drawing& drawing, const std::string& label) {
  for (const Text& text : shapes_of<Text>(groups_of(drawing, "axes")[0])) {
    if (text.text == label) return text.at.x;
  }
  ADD_FAILURE() << label;
  return 0;
}

TEST(AlignmentFigure, ShowsTheCurveTheExpectedPlaceAndThePeak) {
  const Drawing drawing = draw_alignment(sample());
  EXPECT_EQ(shapes_of<Polyline>(groups_of(drawing, "scores")[0])[0].pieces[0].size(), 11U);
  for (const char* words : {"expected: \u221250 to 50 ms", "peak at 0 ms", "correlation", "shift (ms)", "in step?"}) {
    EXPECT_TRUE(says(drawing, words)) << words;
  }
  EXPECT_NE(drawing.description.find("expected at \u221250 to 50 ms; it is at 0 ms."), std::string::npos)
      << drawing.description;

  const double zero = place_of(drawing, "0");
  const double hundred = place_of(drawing, "100");
  const auto area = shapes_of<Polyline>(groups_of(drawing, "expected")[0])[0].pieces[0];
  EXPECT_NEAR(area[0].x, zero - ((hundred - zero) / 2), 1e-9);
  EXPECT_NEAR(area[1].x, zero + ((hundred - zero) / 2), 1e-9);
  const auto marks = shapes_of<Circle>(groups_of(drawing, "peak")[0]);
  EXPECT_NEAR(marks.back().centre.x, zero, 1e-9);
  const auto line = shapes_of<Polyline>(groups_of(drawing, "scores")[0])[0].pieces[0];
  EXPECT_NEAR(marks.back().centre.y, line[5].y, 1e-9) << "on the curve";
}

TEST(AlignmentFigure, TheAxisSaysWhatIsShifted) {
  AlignmentPicture picture = sample();
  picture.shift_name = "delay of the EEG";
  picture.caption = "Positive: later.";
  const Drawing drawing = draw_alignment(picture);
  EXPECT_TRUE(says(drawing, "delay of the EEG (ms)"));
  EXPECT_TRUE(says(drawing, "Positive: later."));
  EXPECT_NE(drawing.description.find("against the delay of the EEG from"), std::string::npos);
}

TEST(AlignmentFigure, APeakElsewhereLooksOtherwise) {
  const Drawing drawing = draw_alignment(sample(0.3));
  EXPECT_TRUE(says(drawing, "peak at 300 ms"));
  const auto marks = shapes_of<Polyline>(groups_of(drawing, "peak")[0]);
  EXPECT_EQ(marks.back().hint, "peak at 300 ms, outside the expected range");
  EXPECT_EQ(*marks.back().fill, palette(5));
  EXPECT_TRUE(shapes_of<Text>(groups_of(drawing, "peak")[0])[0].bold);
}

TEST(AlignmentFigure, APeakBetweenTwoShiftsLiesOnTheLine) {
  AlignmentPicture picture = sample();
  picture.peak = Seconds{0.025};
  const Drawing drawing = draw_alignment(picture);
  const auto line = shapes_of<Polyline>(groups_of(drawing, "scores")[0])[0].pieces[0];
  const Point at = shapes_of<Circle>(groups_of(drawing, "peak")[0]).back().centre;
  EXPECT_NEAR(at.y, (0.75 * line[5].y) + (0.25 * line[6].y), 1e-9);
}

TEST(AlignmentFigure, LabelsStayOnThePaper) {
  for (const double peak : {-0.5, 0.5}) {
    AlignmentPicture picture = sample(peak);
    picture.expected_first = picture.expected_last = {peak};
    const Drawing drawing = draw_alignment(picture, {.width = 88});
    const auto frame = shapes_of<Polyline>(groups_of(drawing, "axes")[0]).back().pieces[0];
    const Text label = shapes_of<Text>(groups_of(drawing, "peak")[0])[0];
    EXPECT_EQ(label.anchor, peak > 0 ? Anchor::end : Anchor::start);
    const auto area = shapes_of<Polyline>(groups_of(drawing, "expected")[0])[0].pieces[0];
    EXPECT_GE(area[0].x, frame[0].x - 1e-9);
    EXPECT_LE(area[1].x, frame[1].x + 1e-9);
    EXPECT_GT(area[1].x - area[0].x, 1) << "a single place is seen all the same";
  }
}

TEST(AlignmentFigure, WithoutAPeakItSaysSo) {
  AlignmentPicture picture = sample();
  picture.peak.reset();
  const Drawing drawing = draw_alignment(picture);
  EXPECT_TRUE(groups_of(drawing, "peak").empty());
  EXPECT_NE(drawing.description.find("there is no clear peak"), std::string::npos);
}

TEST(AlignmentFigure, MissingScoresLeaveGaps) {
  AlignmentPicture picture = sample();
  picture.scores[1] = picture.scores[3] = nan;
  picture.scores[5] = nan;  // under the peak
  const Drawing drawing = draw_alignment(picture);
  const Group scores = groups_of(drawing, "scores")[0];
  EXPECT_EQ(shapes_of<Circle>(scores).size(), 3U) << "points alone";
  EXPECT_EQ(shapes_of<Polyline>(scores)[0].pieces.size(), 1U);
  EXPECT_EQ(render(drawing, FigureFormat::svg).find("nan"), std::string::npos);
}

TEST(AlignmentFigure, ScoresOfZeroCanBeDrawn) {
  AlignmentPicture picture = sample();
  std::ranges::fill(picture.scores, 0.0);
  EXPECT_EQ(render(draw_alignment(picture), FigureFormat::svg).find("nan"), std::string::npos);
}

TEST(AlignmentFigure, RefusesWhatDoesNotFit) {
  const auto refused = [](auto spoil, std::initializer_list<std::string_view> words) {
    AlignmentPicture picture = sample();
    spoil(picture);
    expect_error(ErrorKind::invalid_argument, words, [&] { (void)draw_alignment(picture); });
  };
  refused([](auto& p) { p.scores.pop_back(); }, {"10 scores", "11 shifts"});
  refused([](auto& p) { p.shifts = {{0}}, p.scores = {1}; }, {"at least two"});
  refused([](auto& p) { p.shifts[4] = p.shifts[3]; }, {"shift 5", "sort"});
  refused([](auto& p) { p.shifts[0] = {nan}; }, {"shift 1"});
  refused([](auto& p) { p.expected_last = {-1}; }, {"ends before it begins"});
  refused([](auto& p) { p.peak = Seconds{0.7}; }, {"700 ms", "outside"});
  AlignmentPicture empty = sample();
  std::ranges::fill(empty.scores, nan);
  expect_error(ErrorKind::bad_data, {"no shift has a score"}, [&] { (void)draw_alignment(empty); });
}

}  // namespace
}  // namespace heed::report
