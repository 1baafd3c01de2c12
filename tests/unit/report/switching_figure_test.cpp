// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/figures.h>
#include <support/expect_error.h>
#include <support/report_cases.h>

namespace heed::report {
namespace {

using test::expect_error;
using test::groups_of;
using test::says;
using test::shapes_of;

// Three values; the last becomes certain.
SwitchingPicture sample(Index windows) {
  SwitchingPicture picture{.found = {.per_second = {0.001, 0.01, 0.1}, .per_window = {0.001, 0.01, 0.1}}};
  picture.found.weights = {0, 0.1, 0.9};
  Matrix history(windows, 3);
  for (Index t = 0; t < windows; ++t) {
    const double known = static_cast<double>(t) / static_cast<double>(windows);
    history.row(t) << (1 - known) / 2, (1 - known) / 2, known;
  }
  picture.history = {history, history};
  picture.title = "who knows";
  return picture;
}

TEST(SwitchingFigure, ShowsWhatIsKnownAndHowItCameToBe) {
  const Drawing drawing = draw_switching(sample(400));
  for (const char* words : {"who knows", "one switch every", "10 s", "100 s", "17 min", "90 %", "10 %", "time (min)",
                            "after the last window", "before the first"}) {
    EXPECT_TRUE(says(drawing, words)) << words;
  }
  EXPECT_NE(drawing.description.find("about every 10 s (p = 0.1 per second, 90 %"), std::string::npos)
      << drawing.description;
  const auto bars = shapes_of<Polyline>(groups_of(drawing, "posterior")[0]);
  const auto width = [](const Polyline& bar) { return bar.pieces[0][1].x - bar.pieces[0][0].x; };
  EXPECT_NEAR(width(bars[1]), 9 * width(bars[0]), 1e-9) << "a value without weight has no bar";
}

TEST(SwitchingFigure, StaysSmallHoweverManyWindowsThereAre) {
  const Drawing drawing = draw_switching(sample(100'000));
  EXPECT_LE(groups_of(drawing, "history")[0].shapes.size(), 3U * 200U + 1U);
  EXPECT_LT(svg_element(drawing).size(), 200'000U);
}

TEST(SwitchingFigure, DrawsOneWindowAndNone) {
  SwitchingPicture picture = sample(1);
  EXPECT_NO_THROW((void)draw_switching(picture));
  picture.history.clear();
  EXPECT_NO_THROW((void)draw_switching(picture));
}

TEST(SwitchingFigure, RefusesAHistoryOfOtherValues) {
  SwitchingPicture picture = sample(5);
  picture.history.back() = Matrix::Zero(5, 2);
  expect_error(ErrorKind::invalid_argument, {"one column for each"}, [&] { (void)draw_switching(picture); });
  expect_error(ErrorKind::invalid_argument, {"0 switch probabilities"}, [] { (void)draw_switching({}); });
}

}  // namespace
}  // namespace heed::report
