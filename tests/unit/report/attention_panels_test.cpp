// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/attention_panels.h>
#include <support/report_cases.h>

#include <algorithm>
#include <limits>

namespace heed::report {
namespace {

using test::area_of;
using test::shapes_of;

constexpr Rectangle band{10, 100, 400, 50};
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

TrialFrame frame_of(const test::TrackedCase& one, Index most_columns = 100000) {
  const TrackedTrial& trial = one.tracked.trials.front();
  return {.trial = trial,
          .scores = data::view(one.evidence.front()),
          .left = band.left,
          .window_width = band.width / static_cast<double>(trial.posteriors.values.rows()),
          .most_columns = most_columns};
}

class PanelsOfSpeakers : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(TwoToEight, PanelsOfSpeakers, testing::Range(2, 9));

// Areas are nested: what is seen of speaker k is area k less area k-1.
TEST_P(PanelsOfSpeakers, ShadedAreaIsTheProbability) {
  const auto one = test::tracked_case(GetParam(), 360, 50);
  for (const Index most : {Index{100000}, Index{97}, Index{1}}) {
    const Group group = posterior_areas(frame_of(one, most), band, one.tracked.speakers);
    const auto areas = shapes_of<Polyline>(group);
    ASSERT_EQ(std::ssize(areas), GetParam());
    double below = 0;
    for (std::size_t k = 0; k < areas.size(); ++k) {
      const Polyline& area = areas[areas.size() - 1 - k];
      const double reach = area_of(area.pieces.front());
      const double mean = one.tracked.trials[0].posteriors.values.col(static_cast<Index>(k)).mean();
      EXPECT_NEAR((reach - below) / (band.width * band.height), mean, 1e-4) << "speaker " << k;
      EXPECT_EQ(area.fill, palette(k));
      EXPECT_EQ(area.hint, one.tracked.speakers[k]);
      below = reach;
    }
    EXPECT_NEAR(below, band.width * band.height, 1e-6) << "stacked to one";
  }
}

TEST(PosteriorAreas, StepWithTheWindows) {
  const auto one = test::tracked_case(2, 200, 100, 0);
  const auto areas = shapes_of<Polyline>(posterior_areas(frame_of(one), band, one.tracked.speakers));
  const std::vector<Point> first{{10, 150}, {10, 105}, {210, 105}, {210, 145}, {410, 145}, {410, 150}};
  ASSERT_EQ(areas[1].pieces.front().size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_NEAR(areas[1].pieces.front()[i].x, first[i].x, 1e-9) << i;
    EXPECT_NEAR(areas[1].pieces.front()[i].y, first[i].y, 1e-9) << i;
  }
}

TEST(TruthRibbon, PiecesSpanTheirStretches) {
  auto one = test::tracked_case(3, 400, 100);
  auto& labels = one.tracked.trials[0].attention.attended;
  std::fill(labels.begin() + 150, labels.begin() + 200, unknown_speaker);
  const Group group = truth_ribbon(frame_of(one), band, one.tracked.speakers);
  std::vector<Polyline> pieces;
  for (const Polyline& path : shapes_of<Polyline>(group)) {
    if (path.fill) pieces.push_back(path);
  }
  const std::vector<double> edges{10, 110, 160, 210, 310, 410};
  const std::vector<std::string> hints{"speaker 1, 0 to 100 s", "speaker 2, 100 to 150 s", "unknown, 150 to 200 s",
                                       "speaker 3, 200 to 300 s", "speaker 1, 300 to 400 s"};
  ASSERT_EQ(pieces.size(), hints.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].hint, hints[i]);
    EXPECT_NEAR(pieces[i].pieces.front()[0].x, edges[i], 1e-9);
    EXPECT_NEAR(pieces[i].pieces.front()[1].x, edges[i + 1], 1e-9);
  }
  EXPECT_EQ(shapes_of<Polyline>(group).size(), hints.size() + 1) << "and one hatch";
  EXPECT_EQ(shapes_of<Text>(group).size(), 4U) << "names where there is room";
}

TEST(TruthRibbon, StaysSmallHoweverOftenAttentionMoves) {
  auto one = test::tracked_case(2, 20000, 1);
  const Group group = truth_ribbon(frame_of(one, 500), band, one.tracked.speakers);
  std::size_t points = 0;
  for (const Polyline& path : shapes_of<Polyline>(group)) {
    for (const auto& piece : path.pieces) points += piece.size();
  }
  EXPECT_LE(group.shapes.size(), 3U);
  EXPECT_LE(points, 4U * 500);
}

TEST(WindowWinners, AreTheLargestOrNobody) {
  Matrix evidence(4, 3);
  evidence << 1, 3, 2, 5, missing, 7, -1, -2, -std::numeric_limits<double>::infinity(), 4, 4, 4;
  EXPECT_EQ(window_winners(data::view(evidence)), (std::vector<Speaker>{1, unknown_speaker, 0, 0}));
}

TEST(RawStrip, CountsWinnersAndWhatIsMissing) {
  auto one = test::tracked_case(2, 300, 100);
  one.evidence[0].middleRows(30, 60).setConstant(missing);
  const auto winners = window_winners(data::view(one.evidence[0]));
  for (const Index most : {Index{100000}, Index{71}}) {
    const auto areas = shapes_of<Polyline>(raw_strip(frame_of(one, most), band, one.tracked.speakers));
    ASSERT_EQ(areas.size(), 3U);
    EXPECT_EQ(areas[0].fill, missing_colour);
    const double whole = band.width * band.height;
    const double second = area_of(areas[1].pieces.front());
    EXPECT_NEAR((area_of(areas[0].pieces.front()) - second) / whole, 60.0 / 300, 1e-4);
    EXPECT_NEAR(area_of(areas[2].pieces.front()) / whole, static_cast<double>(std::ranges::count(winners, 0)) / 300,
                1e-4);
    EXPECT_EQ(areas[1].hint, "speaker 2");
    EXPECT_EQ(areas[2].hint, "speaker 1");
  }
}

TEST(MissingVeil, CoversWhatIsMissingOnly) {
  auto one = test::tracked_case(2, 400, 100);
  EXPECT_TRUE(missing_veil(frame_of(one), band).shapes.empty());
  one.evidence[0](0, 1) = missing;
  one.evidence[0].middleRows(100, 50).setConstant(missing);
  const auto veils = shapes_of<Polyline>(missing_veil(frame_of(one), band));
  ASSERT_EQ(veils.size(), 1U);
  ASSERT_EQ(veils[0].pieces.size(), 2U);
  EXPECT_NEAR(veils[0].pieces[0][1].x, 11, 1e-9);
  EXPECT_NEAR(veils[0].pieces[1][0].x, 110, 1e-9);
  EXPECT_NEAR(veils[0].pieces[1][1].x, 160, 1e-9);
}

// With too many windows for a bar code: the mean of the winners around each.
TEST(RawStrip, TellsSharesOfTheWindowsAround) {
  auto one = test::tracked_case(2, 100, 1000);
  const Index width = 9;
  const auto areas = shapes_of<Polyline>(raw_strip(frame_of(one, 200), band, one.tracked.speakers, width));
  const auto winners = window_winners(one.picture().scores[0]);
  double wanted = 0;
  for (Index t = 0; t < 100; ++t) {
    double won = 0;
    double count = 0;
    for (Index k = std::max<Index>(0, t - 4); k <= std::min<Index>(99, t + 4); ++k) {
      won += winners[static_cast<std::size_t>(k)] == 0 ? 1 : 0;
      count += 1;
    }
    wanted += won / count;
  }
  EXPECT_NEAR(area_of(areas.back().pieces.front()), wanted * band.width / 100 * band.height, 1e-6);
}

TEST(ScoreLines, RunThroughTheMiddlesOfTheirWindowsAndBreak) {
  auto one = test::tracked_case(2, 4, 2);
  one.evidence[0] << 0, 1, 1, 1, missing, 1, 0, 1;
  const ScoreLines lines = smooth_scores(data::view(one.evidence[0]), 1);
  const auto paths = shapes_of<Polyline>(score_lines(frame_of(one), band, lines, {0, 1}));
  ASSERT_EQ(paths.size(), 2U);
  ASSERT_EQ(paths[0].pieces.size(), 2U);
  EXPECT_EQ(paths[0].pieces[0], (std::vector<Point>{{60, 150}, {160, 100}}));
  EXPECT_EQ(paths[0].pieces[1].front(), (Point{360, 150}));
  EXPECT_EQ(paths[0].pieces[1].size(), 2U) << "a window alone is still seen";
  EXPECT_EQ(paths[1].pieces.size(), 1U) << "its own score was there";
  EXPECT_EQ(paths[0].stroke->colour, palette(0));
}

TEST(ScoreLines, KeepTheirExtremesWhenPutTogether) {
  auto one = test::tracked_case(2, 50000, 100);
  one.evidence[0](12345, 0) = 9;
  one.evidence[0](40000, 1) = -9;
  const ScoreLines lines = smooth_scores(data::view(one.evidence[0]), 1);
  const auto paths = shapes_of<Polyline>(score_lines(frame_of(one, 400), band, lines, {-10, 10}));
  EXPECT_LE(paths[0].pieces[0].size(), 400U);
  EXPECT_NEAR(std::ranges::min(paths[0].pieces[0], {}, &Point::y).y, 100 + (50 * 1.0 / 20), 1e-9);
  EXPECT_NEAR(std::ranges::max(paths[1].pieces[0], {}, &Point::y).y, 150 - (50 * 1.0 / 20), 1e-9);
}

}  // namespace
}  // namespace heed::report
