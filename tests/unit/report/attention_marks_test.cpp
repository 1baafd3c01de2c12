// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/attention_marks.h>
#include <report/text.h>
#include <support/report_cases.h>

#include <algorithm>
#include <array>

namespace heed::report {
namespace {

using test::shapes_of;

constexpr Rectangle lane{10, 50, 400, 8};

TrialFrame frame_of(const test::TrackedCase& one) {
  const TrackedTrial& trial = one.tracked.trials.front();
  return {.trial = trial,
          .scores = data::view(one.evidence.front()),
          .left = lane.left,
          .window_width = lane.width / static_cast<double>(trial.posteriors.values.rows()),
          .most_columns = 100000};
}

// The point a triangle points at.
double tip(const Polyline& triangle) { return triangle.pieces.front()[2].x; }

TEST(FindSwitches, ToldApartAsTheMetricDoes) {
  auto one = test::tracked_case(2, 400, 100, 12);
  auto& states = one.tracked.trials[0].decisions.states;
  std::fill(states.begin() + 212, states.begin() + 300, 1);  // the switch to speaker 1 at 200 is missed
  states[30] = 1;                                            // a wrong turn and the way back
  const Switches switches = find_switches(one.tracked.trials[0]);
  EXPECT_TRUE(switches.labelled);
  ASSERT_EQ(switches.truth.size(), 3U);
  EXPECT_EQ(switches.truth[0].at, 100);
  EXPECT_EQ(switches.truth[0].detected, 112);
  EXPECT_EQ(switches.truth[0].delay, Seconds{12});
  EXPECT_FALSE(switches.truth[1].detected);
  EXPECT_EQ(switches.truth[2].detected, 312);
  EXPECT_EQ(switches.others, (std::vector<Index>{30, 31, 300}));
}

TEST(TrueSwitchLines, StandWhereAttentionMoved) {
  const auto one = test::tracked_case(2, 400, 100);
  const std::array bands{Rectangle{10, 0, 400, 8}, Rectangle{10, 16, 400, 90}};
  const auto paths = shapes_of<Polyline>(true_switch_lines(frame_of(one), find_switches(one.tracked.trials[0]), bands));
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].pieces.size(), 6U);
  EXPECT_EQ(paths[0].pieces[0], (std::vector<Point>{{110, 0}, {110, 8}}));
  EXPECT_EQ(paths[0].pieces[1], (std::vector<Point>{{110, 16}, {110, 106}}));
  EXPECT_EQ(paths[0].pieces[5][0].x, 310);
}

Group detected(const test::TrackedCase& one) {
  return detected_marks(frame_of(one), find_switches(one.tracked.trials[0]), lane, one.tracked.speakers).group;
}

TEST(DetectedMarks, PointAtTheDecidedSwitchAndTellItsDelay) {
  const auto one = test::tracked_case(3, 400, 100, 12);
  const Group group = detected(one);
  const auto marks = shapes_of<Polyline>(group);
  const auto words = shapes_of<Text>(group);
  ASSERT_EQ(marks.size(), 3U);
  ASSERT_EQ(words.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(tip(marks[k]), 10 + 112 + (100.0 * static_cast<double>(k)), 1e-9);
    EXPECT_EQ(words[k].text, "+12 s");
    EXPECT_EQ(marks[k].fill, palette((k + 1) % 3)) << "the colour of who is attended now";
  }
  EXPECT_EQ(marks[0].hint, "switch to speaker 2 at 100 s, detected at 112 s (+12 s)");
}

TEST(DetectedMarks, AForeseenSwitchHasAMinusAndAMissedOneACross) {
  auto one = test::tracked_case(2, 400, 200, 0);
  auto& states = one.tracked.trials[0].decisions.states;
  std::fill(states.begin() + 150, states.end(), 1);
  auto group = detected(one);
  EXPECT_EQ(shapes_of<Text>(group).at(0).text, "−50 s");
  EXPECT_NEAR(tip(shapes_of<Polyline>(group).at(0)), 160, 1e-9);
  std::ranges::fill(states, 0);
  group = detected(one);
  EXPECT_EQ(shapes_of<Text>(group).at(0).text, "missed");
  EXPECT_EQ(shapes_of<Polyline>(group).at(0).pieces.size(), 2U);
  EXPECT_EQ(shapes_of<Polyline>(group).at(0).hint, "switch to speaker 2 at 200 s, missed");
}

struct Extent {
  double left = 1e9;
  double right = -1e9;
};

Extent extent_of(const Shape& shape) {
  Extent extent;
  if (const auto* words = std::get_if<Text>(&shape)) {
    const double width = text_width(words->text, words->size);
    extent.left = words->anchor == Anchor::end ? words->at.x - width : words->at.x;
    return {extent.left, extent.left + width};
  }
  for (const auto& piece : std::get<Polyline>(shape).pieces) {
    for (const Point& point : piece) extent = {std::min(extent.left, point.x), std::max(extent.right, point.x)};
  }
  return extent;
}

TEST(DetectedMarks, WordsNeverMeetAndStayInTheLane) {
  std::size_t words = 0;
  for (const Index block : {5, 12, 20, 26, 37, 50, 133, 380, 397}) {
    const auto one = test::tracked_case(2, 400, block, 2);
    const Group group = detected(one);
    for (const Shape& shape : group.shapes) {
      if (!std::holds_alternative<Text>(shape)) continue;
      ++words;
      const Extent own = extent_of(shape);
      EXPECT_GE(own.left, lane.left) << block;
      EXPECT_LE(own.right, lane.right()) << block;
      for (const Shape& other : group.shapes) {
        const Extent its = extent_of(other);
        EXPECT_TRUE(&other == &shape || own.right <= its.left || its.right <= own.left) << block;
      }
    }
  }
  EXPECT_GT(words, 40U);
}

TEST(DetectedMarks, WithoutLabelsEveryDecisionIsShownAndNoneJudged) {
  auto one = test::tracked_case(2, 400, 100, 12);
  std::ranges::fill(one.tracked.trials[0].attention.attended, unknown_speaker);
  const Switches switches = find_switches(one.tracked.trials[0]);
  EXPECT_FALSE(switches.labelled);
  const Group group = detected(one);
  EXPECT_EQ(shapes_of<Polyline>(group).size(), 3U);
  EXPECT_TRUE(shapes_of<Text>(group).empty());
  EXPECT_TRUE(other_marks(frame_of(one), switches, lane).group.shapes.empty());
}

TEST(OtherMarks, AreAsManyAsThePaperHolds) {
  auto one = test::tracked_case(2, 20000, 20000, 0);
  auto& states = one.tracked.trials[0].decisions.states;
  for (std::size_t t = 0; t < states.size(); t += 2) states[t] = 1;
  const Switches switches = find_switches(one.tracked.trials[0]);
  EXPECT_EQ(switches.others.size(), 19999U);
  const auto [group, merged] = other_marks(frame_of(one), switches, lane);
  EXPECT_LE(group.shapes.size(), 118U) << "400 points, 3.4 each";
  EXPECT_GE(group.shapes.size(), 100U);
  EXPECT_EQ(group.shapes.size() + merged, 19999U) << "every change is drawn or counted";
}

TEST(DetectedMarks, ThatWouldLieOnEachOtherAreOneAndSayHowMany) {
  auto one = test::tracked_case(2, 400, 100, 0);
  auto& trial = one.tracked.trials[0];
  for (const std::size_t t : {200U, 202U}) trial.attention.attended[t] = trial.decisions.states[t] = 1;
  trial.attention.attended[201] = trial.decisions.states[201] = 0;
  const Marks marks = detected_marks(frame_of(one), find_switches(trial), lane, one.tracked.speakers);
  // Switches at 100, 201, 202, 203 and 300, a point a window.
  EXPECT_EQ(shapes_of<Polyline>(marks.group).size() + marks.merged, 5U);
  ASSERT_EQ(marks.merged, 2U);
  const auto words = shapes_of<Text>(marks.group);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[1].text, "×3");
  EXPECT_EQ(shapes_of<Polyline>(marks.group)[1].hint, "3 switches, detected or missed between 201 s and 203 s");
}

}  // namespace
}  // namespace heed::report
