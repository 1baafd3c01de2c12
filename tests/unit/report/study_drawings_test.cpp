// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/study/study_drawings.h>

#include <algorithm>

namespace heed::report {
namespace {

// Two methods at so many minutes, two listeners each.
StudyDrawing sweep_over(int minutes) {
  StudyResult result{
      .study = {.name = "many", .title = "Many", .figure = {StudyPicture::sweep, "minute", false, {"tracker"}}}};
  ResultTable table{{"tracker", "minute", "participant", "p", "accuracy", "switch_time"}, {}};
  for (const char* tracker : {"causal", "smooth"}) {
    for (int minute = 0; minute < minutes; ++minute) {
      table.rows.push_back({tracker, static_cast<double>(minute), "01", 0.001, 0.9, 30.0});
      table.rows.push_back({tracker, static_cast<double>(minute), "02", 0.001, 0.92, 20.0});
    }
  }
  result.tables.push_back({"tracking", std::move(table)});
  return draw_study(result, "").drawings.at(0);
}

bool has_dots(const StudyDrawing& drawing) {
  return std::ranges::any_of(drawing.wide.groups,
                             [](const Group& group) { return group.name == "participants" && !group.shapes.empty(); });
}

// Ranges and dots of many points would hide the lines.
TEST(StudyDrawings, ACrowdedSweepShowsMeansAlone) {
  const StudyDrawing roomy = sweep_over(20);
  EXPECT_EQ(roomy.caption,
            "Lines: means over participants; error bars: interquartile ranges; faint dots: participants.");
  EXPECT_TRUE(has_dots(roomy));
  const StudyDrawing crowded = sweep_over(21);
  EXPECT_EQ(crowded.caption, "Lines: means over participants.");
  EXPECT_FALSE(has_dots(crowded));
}

}  // namespace
}  // namespace heed::report
