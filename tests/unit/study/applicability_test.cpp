// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/tracking/assembly.h>

namespace heed::study {
namespace {

Study study_of(StudyGrid grid) {
  Study study{.name = "test"};
  study.grids = {std::move(grid)};
  study.figure.series = {"tracker"};
  return study;
}

const Study two = study_of({{"tracker", {"causal", "smooth"}}, {"window", {1.0}}});

StudyResult result_with(const std::vector<std::string>& trackers) {
  StudyResult result{.study = two};
  ResultTable table{.columns = {"tracker", "accuracy"}, .rows = {}};
  for (const std::string& tracker : trackers) table.rows.push_back({tracker, 0.9});
  result.tables = {{"tracking", table}};
  return result;
}

TEST(Applicability, NamesASettingByWhatVaries) {
  EXPECT_EQ(words_of(settings_of(two)[1], two), "tracker = smooth");
  const Study one = study_of({{"window", {1.0}}});
  EXPECT_EQ(words_of(settings_of(one)[0], one), "its setting");
}

TEST(Applicability, WithAllSettingsNothingChanges) {
  StudyResult result = result_with({"causal"});
  judge_applicability(result, {});
  EXPECT_TRUE(result.obstacle.empty());
  EXPECT_TRUE(result.notes.empty());
}

TEST(Applicability, OneOfTwoComparesNothing) {
  StudyResult result = result_with({"causal"});
  const std::vector<LeftOut> left_out{{"tracker = smooth", "no reason"}};
  judge_applicability(result, left_out);
  EXPECT_EQ(result.obstacle, "no reason");
  EXPECT_TRUE(result.tables.empty());
}

// Grids of one value each are not compared along it: what one of them lacks does not take the others away.
TEST(Applicability, AGridThatStandsAloneMayBeMissing) {
  StudyResult result = result_with({"causal", "smooth"});
  result.study.grids.push_back({{"tracker", {"causal"}}, {"switch_probability", {"as-fast-as-state-space"}}});
  result.study.figure.series.emplace_back("switch_probability");
  ResultTable& table = result.tables[0].table;
  table.columns.emplace_back("switch_probability");
  for (auto& row : table.rows) row.emplace_back("scaled");
  const std::vector<LeftOut> left_out{{"switch_probability = as-fast-as-state-space", "no correlations"}};
  judge_applicability(result, left_out);
  EXPECT_TRUE(result.obstacle.empty()) << result.obstacle;
  EXPECT_EQ(result.tables.size(), 1U);
  EXPECT_EQ(result.notes.size(), 1U);
}

TEST(Applicability, WhatIsLeftIsShownWithANote) {
  StudyResult result = result_with({"causal", "smooth"});
  const std::vector<LeftOut> left_out{{"tracker = viterbi", "no reason"}, {"tracker = viterbi", "no reason"}};
  judge_applicability(result, left_out);
  EXPECT_TRUE(result.obstacle.empty());
  EXPECT_EQ(result.notes, (Notes{{"", NoteKind::left_out, "Without tracker = viterbi: no reason."}}));
}

// A reason that takes away all windows of a length is told of the length, not of every setting.
TEST(Applicability, WhatIsLeftOutIsToldShortly) {
  const Study study = study_of(
      {{"tracker", {"causal", "smooth"}}, {"window", {1.0, 2.0}}, {"switch_probability", {0.001, 0.01, 0.03, 0.1}}});
  const auto told = [&](const auto& is_left_out) {
    StudyResult result = result_with({"causal", "smooth"});
    result.study = study;
    std::vector<LeftOut> left_out;
    for (const Setting& one : settings_of(study)) {
      if (is_left_out(one)) left_out.push_back({words_of(one, study), "no scores"});
    }
    judge_applicability(result, left_out);
    return result.notes.at(0).text;
  };
  EXPECT_EQ(told([](const Setting& one) { return one.window == Seconds{2}; }), "Without window = 2: no scores.");
  EXPECT_EQ(told([](const Setting& one) { return one.window == Seconds{2} && one.switch_probability == 0.1; }),
            "Without window = 2, switch_probability = 0.1: no scores.");
  // Not all of them: nothing is said of windows of 2 s as such.
  const std::string some =
      told([](const Setting& one) { return one.window == Seconds{2} && one.switch_probability != 0.1; });
  EXPECT_TRUE(some.starts_with("Without tracker = causal, window = 2, switch_probability = 0.001; tracker = causal, "))
      << some;
  const std::string most = told([](const Setting& one) { return one.switch_probability != 0.1; });
  EXPECT_NE(most.find(" and 6 more settings: no scores."), std::string::npos) << most;
}

// Two trackers, each in a grid of its own, have the same words at a window: both are left out with it.
TEST(Applicability, GridsThatStandAloneAreToldShortlyToo) {
  Study study = study_of({{"tracker", {"causal"}}, {"window", {1.0, 2.0}}, {"switch_probability", {0.001, 0.01}}});
  study.grids.push_back({{"tracker", {"state-space"}}, {"window", {1.0, 2.0}}});
  study.grids.push_back({{"tracker", {"raw"}}, {"window", {1.0, 2.0}}});
  StudyResult result = result_with({"causal", "raw"});
  result.study = study;
  std::vector<LeftOut> left_out;
  for (const Setting& one : settings_of(study)) {
    if (one.window == Seconds{2}) left_out.push_back({words_of(one, study), "no scores"});
  }
  judge_applicability(result, left_out);
  EXPECT_EQ(result.notes.at(0).text, "Without window = 2: no scores.");
}

TEST(Applicability, NoRowsAreAnObstacle) {
  StudyResult result = result_with({});
  const std::vector<LeftOut> left_out{{"everything", "no EEG"}};
  judge_applicability(result, left_out);
  EXPECT_EQ(result.obstacle, "no EEG");
}

TEST(Applicability, TheCommonestReasonIsTold) {
  StudyResult result = result_with({});
  const std::vector<LeftOut> left_out{{"a", "another name"}, {"b", "no EEG"}, {"c", "no EEG"}};
  judge_applicability(result, left_out);
  EXPECT_EQ(result.obstacle, "no EEG");
}

}  // namespace
}  // namespace heed::study
