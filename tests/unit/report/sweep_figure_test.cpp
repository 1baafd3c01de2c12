// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/shapes.h>
#include <report/study/figures.h>
#include <support/expect_error.h>
#include <support/legible.h>
#include <support/report_cases.h>
#include <support/study_figure_cases.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::report {
namespace {

using test::expect_error;
using test::expect_legible;
using test::groups_of;
using test::says;
using test::shapes_of;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::vector<double> probabilities() {
  std::vector<double> result;
  for (int k = 0; k < 13; ++k) result.push_back(std::pow(10.0, -4 + (0.25 * k)));
  return result;
}

// The more series, the less accurate; the farther along, the less accurate and the faster.
SweepPicture sample(std::size_t series, int participants, const std::vector<double>& across, std::size_t panels = 2) {
  SweepPicture picture{.series = {},
                       .panels = {},
                       .across = "switch probability p",
                       .logarithmic = true,
                       .diagonal = false,
                       .title = "What p does",
                       .subtitle = "to accuracy and switch time",
                       .stamp = "simulated data"};
  RandomStream random(3, 1);
  for (std::size_t s = 0; s < series; ++s) picture.series.push_back("method " + std::to_string(s + 1));
  for (std::size_t k = 0; k < panels; ++k) {
    SweepPanel panel{.measure = k == 0 ? test::accuracy_axis() : test::time_axis(), .series = {}};
    for (std::size_t s = 0; s < series; ++s) {
      panel.series.emplace_back();
      for (std::size_t i = 0; i < across.size(); ++i) {
        const double along = static_cast<double>(i) / static_cast<double>(across.size());
        const auto rank = static_cast<double>(s);
        const test::Spread spread = k == 0 ? test::Spread{0.95 - (0.1 * along) - (0.04 * rank), 0.02, 0, 1}
                                           : test::Spread{45 - (30 * along) - (4 * rank), 3, 2, 60};
        panel.series.back().push_back({across[i], test::scattered(random, participants, spread), {}});
      }
    }
    picture.panels.push_back(std::move(panel));
  }
  picture.panels[0].series[0][across.size() / 3].published = PublishedMark{0.89, "Table II"};
  return picture;
}

// One series in one panel.
SweepPicture one_line(const std::vector<SweepPoint>& points) {
  return {.series = {"causal"},
          .panels = {{test::accuracy_axis(), {points}}},
          .across = "window length (s)",
          .logarithmic = false,
          .diagonal = false,
          .title = "",
          .subtitle = "",
          .stamp = ""};
}

// Labels of the axis across, of the panel that has them.
std::vector<Text> across_labels(const Drawing& drawing) {
  std::vector<Text> labels;
  for (const Text& text : shapes_of<Text>(groups_of(drawing, "axes").back())) {
    if (text.anchor == Anchor::middle && text.size == 7) labels.push_back(text);
  }
  return labels;
}

std::string joined(const std::vector<Text>& labels) {
  std::string text;
  for (const Text& label : labels) text += (text.empty() ? "" : " ") + label.text;
  return text;
}

double height_of(const Group& axes, const std::string& label) {
  for (const Text& text : shapes_of<Text>(axes)) {
    if (text.text == label && text.anchor == Anchor::end) return text.at.y - 2.5;
  }
  ADD_FAILURE() << label;
  return 0;
}

TEST(SweepFigure, ValuesLieBetweenTheTicks) {
  SweepPoint point{5, test::plotted({0.6, 0.7, 0.8, 0.9, 1.0}), PublishedMark{0.89, "Table II"}};
  const Drawing drawing = draw_sweep(one_line({{1, test::plotted({0.8}), {}}, point}));
  const Group axes = groups_of(drawing, "axes")[0];
  const double eighty = height_of(axes, "80");
  const double per_cent = (height_of(axes, "100") - eighty) / 20;
  const auto dots = shapes_of<Circle>(groups_of(drawing, "participants").at(0));
  ASSERT_EQ(dots.size(), 6U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(dots[k + 1].centre.y, eighty + (per_cent * (-20 + (10 * static_cast<double>(k)))), 1e-9);
  }
  EXPECT_EQ(dots[2].hint, "sub-2, causal, window length = 5 s: 70.0 %");
  const auto bar = shapes_of<Polyline>(groups_of(drawing, "bar 0").at(0)).at(1);
  EXPECT_NEAR(bar.pieces[0][0].y, eighty - (10 * per_cent), 1e-9) << "the lower quartile";
  EXPECT_NEAR(bar.pieces[0][1].y, eighty + (10 * per_cent), 1e-9) << "and the upper";
  EXPECT_EQ(bar.hint, "causal, window length = 5 s: interquartile range of accuracy 70.0 to 90.0 %");
  const auto mean = shapes_of<Circle>(groups_of(drawing, "mean 0").at(0)).at(1);
  EXPECT_NEAR(mean.centre.y, eighty, 1e-9);
  EXPECT_NEAR(mean.centre.x, bar.pieces[0][0].x, 1e-9);
  EXPECT_EQ(mean.hint,
            "causal, window length = 5 s: mean accuracy 80.0 %, interquartile range 70.0 to 90.0 %, 5 participants.");
  const auto star = shapes_of<Polyline>(groups_of(drawing, "published").at(0)).at(0);
  EXPECT_NEAR(star.pieces[0][0].x, mean.centre.x, 1e-9);
  EXPECT_FALSE(star.fill);
  EXPECT_EQ(star.hint, "published, causal, window length = 5 s: accuracy 89.0 % (Table II)");
}

TEST(SweepFigure, PlacesAreInOrderAndEvenInTheLogarithm) {
  const Drawing drawing = draw_sweep(sample(1, 5, probabilities()));
  const auto means = shapes_of<Circle>(groups_of(drawing, "mean 0").at(0));
  ASSERT_EQ(means.size(), 13U);
  for (std::size_t k = 2; k < means.size(); ++k) {
    EXPECT_NEAR(means[k].centre.x - means[k - 1].centre.x, means[1].centre.x - means[0].centre.x, 1e-6);
  }
  EXPECT_EQ(joined(across_labels(drawing)), "0.0001 0.001 0.01 0.1");
}

TEST(SweepFigure, FewChosenValuesAreTheTicks) {
  SweepPicture picture = sample(2, 5, {0.25, 0.5, 1, 2, 5, 10, 30});
  EXPECT_EQ(joined(across_labels(draw_sweep(picture))), "0.25 0.5 1 2 5 10 30");
  SweepPicture uneven = sample(1, 5, {52.31, 56.3, 61.72, 70.4});
  uneven.logarithmic = false;
  EXPECT_EQ(joined(across_labels(draw_sweep(uneven))), "55 60 65 70") << "no long numbers";
}

// Error bars of series at the same place stand beside each other, and so do dots and bars.
TEST(SweepFigure, SeriesDoNotHideEachOther) {
  const Drawing drawing = draw_sweep(sample(4, 13, {20, 30, 60, 120, 300, 600}));
  std::vector<double> places;
  for (int s = 0; s < 4; ++s) {
    const Group bars = groups_of(drawing, "bar " + std::to_string(s)).at(0);
    for (const Polyline& bar : shapes_of<Polyline>(bars)) places.push_back(bar.pieces[0][0].x);
  }
  std::ranges::sort(places);
  for (std::size_t k = 1; k < places.size(); ++k) EXPECT_GE(places[k] - places[k - 1], 2.5 - 1e-9);
  std::vector<double> dots;
  for (const Group& group : groups_of(drawing, "participants")) {
    for (const Circle& dot : shapes_of<Circle>(group)) dots.push_back(dot.centre.x);
  }
  for (const double place : places) {
    for (const double dot : dots) EXPECT_GE(std::abs(dot - place), 0.5);
  }
}

TEST(SweepFigure, SeriesAtPlacesOfTheirOwnStayThere) {
  SweepPicture picture = sample(2, 0, {1, 2, 3, 4}, 1);
  picture.logarithmic = false;
  for (SweepPoint& point : picture.panels[0].series[1]) point.across += 0.5;
  for (auto& series : picture.panels[0].series) {
    for (SweepPoint& point : series) point.values.mean = 0.8;
  }
  const Drawing drawing = draw_sweep(picture);
  const auto first = shapes_of<Circle>(groups_of(drawing, "mean 0").at(0));
  const auto second = shapes_of<Polyline>(groups_of(drawing, "mean 1").at(0));
  const double step = first[1].centre.x - first[0].centre.x;
  const double square = (second[0].pieces[0][0].x + second[0].pieces[0][1].x) / 2;
  EXPECT_NEAR(square - first[0].centre.x, step / 2, 1e-9);
}

// So that a place can be compared with the diagonal, and means without bars with each other.
TEST(SweepFigure, MeansAloneStayAtTheirPlace) {
  SweepPicture picture = sample(2, 5, {0.2, 0.4, 0.6}, 1);
  const auto middles = [&] {
    const Drawing drawing = draw_sweep(picture);
    const auto circle = shapes_of<Circle>(groups_of(drawing, "mean 0").at(0)).at(0).centre.x;
    const auto square = shapes_of<Polyline>(groups_of(drawing, "mean 1").at(0)).at(0).pieces[0];
    return std::pair{circle, (square[0].x + square[1].x) / 2};
  };
  EXPECT_LT(middles().first + 2, middles().second);
  picture.diagonal = true;
  EXPECT_NEAR(middles().first, middles().second, 1e-9);
  picture.diagonal = false;
  for (auto& series : picture.panels[0].series) {
    for (SweepPoint& point : series) point.values = {.participants = {}, .mean = point.values.mean, .quartiles = {}};
  }
  EXPECT_NEAR(middles().first, middles().second, 1e-9);
}

TEST(SweepFigure, WhatIsNotKnownLeavesGaps) {
  SweepPicture picture = sample(1, 5, {1, 2, 3, 4, 5, 6, 7}, 1);
  auto& points = picture.panels[0].series[0];
  points[2].values.mean.reset();
  points[4].values.mean = missing;
  points[5].values.participants[0].value = missing;
  points[6].values.quartiles = evaluate::Quartiles{missing, missing};
  const Drawing drawing = draw_sweep(picture);
  EXPECT_EQ(groups_of(drawing, "mean 0").at(0).shapes.size(), 5U);
  EXPECT_EQ(groups_of(drawing, "bar 0").at(0).shapes.size(), 6U);
  EXPECT_EQ(groups_of(drawing, "participants").at(0).shapes.size(), 34U);
  const auto line = shapes_of<Polyline>(groups_of(drawing, "line 0").at(0)).at(0);
  EXPECT_EQ(line.pieces.size(), 2U) << "before and after; one alone is a dot";
  const auto means = shapes_of<Circle>(groups_of(drawing, "mean 0").at(0));
  EXPECT_NE(means[3].hint.find("4 participants"), std::string::npos) << means[3].hint;
  EXPECT_EQ(render(drawing, FigureFormat::svg).find("nan"), std::string::npos);
}

TEST(SweepFigure, PanelsStandSideBySideWhereThereIsRoom) {
  const auto areas = [](const Drawing& drawing) {
    std::vector<Point> corners;
    for (const Group& axes : groups_of(drawing, "axes")) {
      corners.push_back(shapes_of<Polyline>(axes).back().pieces[0].front());
    }
    return corners;
  };
  const auto beside = areas(draw_sweep(sample(2, 5, probabilities())));
  EXPECT_EQ(beside[0].y, beside[1].y);
  EXPECT_LT(beside[0].x, beside[1].x);
  const Drawing narrow = draw_sweep(sample(2, 5, probabilities()), {.width = 100});
  const auto below = areas(narrow);
  EXPECT_EQ(below[0].x, below[1].x);
  EXPECT_LT(below[0].y, below[1].y);
  const auto titles = test::texts_of(narrow);
  EXPECT_EQ(std::ranges::count(titles, "switch probability p", &Text::text), 1) << "the axis is shared";
  EXPECT_EQ(std::ranges::count(titles, "0.001", &Text::text), 1);
}

TEST(SweepFigure, EverythingIsLegible) {
  for (const double width : {180.0, 100.0, 88.0}) {
    for (const std::size_t panels : {1U, 2U, 3U}) {
      for (const std::size_t series : {1U, 2U, 4U}) {
        for (const auto& across : {probabilities(), std::vector<double>{0.25, 0.5, 1, 2, 5, 10, 30}, {7}}) {
          const Drawing drawing = draw_sweep(sample(series, 3, across, panels), {.width = width});
          expect_legible(drawing);
          for (const char* words :
               {"method 1", "participant", "mean and interquartile range", "published", "simulated data"}) {
            EXPECT_TRUE(says(drawing, words)) << words;
          }
        }
      }
    }
  }
}

TEST(SweepFigure, TheStampStandsAtTheTopRight) {
  const Drawing drawing = draw_sweep(sample(1, 3, probabilities()));
  const auto stamp = groups_of(drawing, "stamp");
  ASSERT_EQ(stamp.size(), 1U);
  const Text words = shapes_of<Text>(stamp[0]).at(0);
  EXPECT_EQ(words.text, "simulated data");
  EXPECT_GT(words.at.x, 0.8 * drawing.width);
  EXPECT_LT(words.at.y, 20);
  SweepPicture picture = sample(1, 3, probabilities());
  picture.stamp.clear();
  EXPECT_TRUE(groups_of(draw_sweep(picture), "stamp").empty());
}

TEST(SweepFigure, EverythingStaysInsideThePanel) {
  for (const double width : {180.0, 88.0}) {
    const Drawing drawing = draw_sweep(sample(2, 20, probabilities()), {.width = width});
    const auto axes = shapes_of<Polyline>(groups_of(drawing, "axes")[0]).back().pieces[0];
    for (std::size_t s = 0; s < 2; ++s) {
      for (const Circle& dot : shapes_of<Circle>(groups_of(drawing, "participants")[s])) {
        EXPECT_GT(dot.centre.x, axes[0].x);
        EXPECT_LT(dot.centre.x, axes[2].x);
        EXPECT_GT(dot.centre.y, axes[0].y);
        EXPECT_LT(dot.centre.y, axes[2].y);
      }
    }
  }
}

TEST(SweepFigure, ChanceIsShownWhereItIsNear) {
  EXPECT_EQ(groups_of(draw_sweep(one_line({{1, test::plotted({0.6, 0.8}), {}}})), "chance").size(), 1U);
  EXPECT_TRUE(groups_of(draw_sweep(one_line({{1, test::plotted({0.93, 0.98}), {}}})), "chance").empty());
}

TEST(SweepFigure, AxesReachAsFarAsAsked) {
  SweepPicture picture = one_line({{1, test::plotted({0.93, 0.98}), {}}});
  picture.panels[0].measure.lowest = 0.5;
  const Drawing drawing = draw_sweep(picture);
  EXPECT_EQ(groups_of(drawing, "chance").size(), 1U);
  const Group axes = groups_of(drawing, "axes")[0];
  EXPECT_LT(height_of(axes, "100"), height_of(axes, "60"));
}

TEST(SweepFigure, TimesBeginAtZeroUnlessTheySpanMuch) {
  const auto times = [](const std::vector<double>& values) {
    SweepPicture picture = one_line({{1, test::plotted(values), {}}});
    picture.panels[0].measure = test::time_axis();
    return draw_sweep(picture);
  };
  const Group even = groups_of(times({20, 21, 22}), "axes")[0];
  EXPECT_NEAR(height_of(even, "0") - height_of(even, "10"), height_of(even, "10") - height_of(even, "20"), 1e-9);
  const Drawing astray = times({10, 10, 10, 10, 10, 10, 10, 200});
  EXPECT_TRUE(says(astray, "switch time (s), log scale")) << "one participant far from the rest";
  EXPECT_FALSE(says(times({0, 10, 10, 10, 10, 10, 10, 200}), "switch time (s), log scale")) << "zero has no logarithm";
}

TEST(SweepFigure, TheDiagonalIsWhereBothAreEqual) {
  SweepPicture picture = one_line({{0.2, test::plotted({0.2}), {}}, {0.7, test::plotted({0.7}), {}}});
  picture.across = "posterior";
  picture.diagonal = true;
  picture.panels[0].measure = {
      .title = "share", .unit = "", .factor = 1, .decimals = 2, .chance = {}, .lowest = 0, .highest = 1};
  const Drawing drawing = draw_sweep(picture);
  expect_legible(drawing);
  const auto line = shapes_of<Polyline>(groups_of(drawing, "diagonal").at(0)).at(0).pieces[0];
  const double slope = (line[1].y - line[0].y) / (line[1].x - line[0].x);
  for (const Circle& mean : shapes_of<Circle>(groups_of(drawing, "mean 0").at(0))) {
    EXPECT_NEAR(mean.centre.y, line[0].y + (slope * (mean.centre.x - line[0].x)), 1e-9);
  }
  EXPECT_TRUE(says(drawing, "perfect calibration"));
  EXPECT_NEAR(slope, -1, 1e-9) << "a square of equal axes";
}

TEST(SweepFigure, DescribesItselfInWords) {
  const Drawing drawing =
      draw_sweep(one_line({{1, test::plotted({0.8}), {}}, {5, test::plotted({0.9}), {}}, {9, {}, {}}}));
  EXPECT_EQ(drawing.description, "Mean accuracy along window length (s). causal: 80.0 % at 1 s, 90.0 % at 5 s.");
}

TEST(SweepFigure, ColoursAreThoseThatPagesKnow) {
  const Drawing drawing = draw_sweep(sample(4, 3, probabilities()));
  const auto is_known = [](Colour colour) {
    colour.opacity = 1;
    if (colour == ink || colour == faint_ink || colour == grid_ink || colour == paper) return true;
    for (std::size_t k = 0; k < 8; ++k) {
      if (colour == palette(k)) return true;
    }
    return false;
  };
  for (const Group& group : drawing.groups) {
    for (const Polyline& path : shapes_of<Polyline>(group)) {
      EXPECT_TRUE(!path.fill || is_known(*path.fill)) << group.name;
      EXPECT_TRUE(!path.stroke || is_known(path.stroke->colour)) << group.name;
    }
    for (const Text& text : shapes_of<Text>(group)) EXPECT_TRUE(is_known(text.colour)) << group.name;
  }
}

TEST(SweepFigure, TheSamePictureGivesTheSameBytes) {
  const auto bytes = [] { return render(draw_sweep(sample(2, 13, probabilities())), FigureFormat::svg); };
  EXPECT_EQ(bytes(), bytes());
}

TEST(SweepFigure, RefusesWhatCannotBeDrawn) {
  const auto refused = [](ErrorKind kind, std::initializer_list<std::string_view> words, const SweepPicture& picture) {
    expect_error(kind, words, [&] { (void)draw_sweep(picture); });
  };
  SweepPicture picture = sample(2, 3, probabilities());
  picture.panels[1].series.pop_back();
  refused(ErrorKind::invalid_argument, {"panel 2", "1 series for 2 names", "give one each"}, picture);
  picture = sample(2, 3, probabilities());
  picture.panels[1].series[1][0].across = 0;
  refused(ErrorKind::invalid_argument, {"method 2", "of 0", "logarithmic", "above zero"}, picture);
  picture.logarithmic = false;
  picture.panels[1].series[1][0].across = missing;
  refused(ErrorKind::invalid_argument, {"method 2", "give a number"}, picture);
  picture = sample(1, 3, probabilities(), 3);
  picture.panels.push_back(picture.panels[0]);
  refused(ErrorKind::invalid_argument, {"4 panels", "one to three"}, picture);
  picture.panels.clear();
  refused(ErrorKind::invalid_argument, {"0 panels"}, picture);
  refused(ErrorKind::bad_data, {"no series has a mean"}, one_line({{1, {}, {}}}));
}

}  // namespace
}  // namespace heed::report
