// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/plan/reproduction.h>

#include <algorithm>

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

std::vector<std::string> origins(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const StudyText& text : find_study_texts(names)) result.push_back(text.origin);
  return result;
}

TEST(Reproduction, StudiesThatTakeLongAreRunWhenTheyAreNamed) {
  const std::string one = "studies/adaptation.toml";
  const auto usual = origins({});
  EXPECT_GE(usual.size(), 20U);
  EXPECT_EQ(std::ranges::find(usual, one), usual.end());
  const auto all = origins({"all"});
  EXPECT_EQ(all.size(), built_in_studies().size());
  EXPECT_NE(std::ranges::find(all, one), all.end());
  EXPECT_EQ(origins({"adaptation"}), std::vector{one});
}

TEST(Reproduction, SaysWhichStudiesAreLeftOut) {
  const Notes notes = studies_not_named({});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text,
            "Studies that take long are run only when they are named: adaptation, adaptation_disturbed.");
  EXPECT_TRUE(studies_not_named(std::vector<std::string>{"all"}).empty());
  EXPECT_TRUE(studies_not_named(std::vector<std::string>{"speakers"}).empty());
}

}  // namespace
}  // namespace heed::study
