// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/plan/reproduction.h>

namespace heed::study {
namespace {

Reproduction one_study(double accuracy, double windows, const std::string& note) {
  StudyResult result{.study = {.name = "s"}};
  result.tables = {{"tracking", {{"participant", "accuracy"}, {{"sub-01", accuracy}}}},
                   {"reliability",
                    {{"tracker", "calibrated", "lower", "upper", "windows", "confidence", "accuracy"},
                     {{"causal", "no", 0.9, 1.0, windows, 0.95, accuracy}}}},
                   {"trace", {{"participant", "onset"}, {{"sub-01", accuracy}}}}};
  result.notes = {{.text = "of both"}, {.text = note}};
  return {.studies = {result}, .notes = {{.text = "common"}}};
}

TEST(Reproduction, ListenersOfSeveralSeedsAreDifferentPeople) {
  Reproduction all;
  append_seed(all, one_study(0.8, 100, "first"), 7);
  append_seed(all, one_study(0.9, 300, "second"), 8);
  ASSERT_EQ(all.studies.size(), 1U);
  const StudyResult& result = all.studies.front();
  const ResultTable& tracking = *result.find("tracking");
  ASSERT_EQ(tracking.rows.size(), 2U);
  EXPECT_EQ(tracking.rows[0][0], TableValue("sub-01_seed-7"));
  EXPECT_EQ(tracking.rows[1][0], TableValue("sub-01_seed-8"));
  const ResultTable& reliability = *result.find("reliability");
  ASSERT_EQ(reliability.rows.size(), 1U) << "pooled";
  EXPECT_EQ(reliability.rows[0][4], TableValue(400.0));
  EXPECT_DOUBLE_EQ(std::get<double>(reliability.rows[0][6]), ((100 * 0.8) + (300 * 0.9)) / 400);
  EXPECT_EQ(result.find("trace")->rows.size(), 1U) << "one listener is shown";
  EXPECT_EQ(result.notes, (Notes{{.text = "of both"}, {.text = "first"}, {.text = "second"}}));
  EXPECT_EQ(all.notes, Notes{{.text = "common"}});
}

}  // namespace
}  // namespace heed::study
