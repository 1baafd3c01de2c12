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

StudyResult result_with(std::vector<std::string> trackers) {
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
  judge_applicability(result, settings_of(two), {});
  EXPECT_TRUE(result.obstacle.empty());
  EXPECT_TRUE(result.notes.empty());
}

TEST(Applicability, OneOfTwoComparesNothing) {
  StudyResult result = result_with({"causal"});
  const std::vector<LeftOut> left_out{{"tracker = smooth", "no reason"}};
  judge_applicability(result, settings_of(two), left_out);
  EXPECT_EQ(result.obstacle, "no reason");
  EXPECT_TRUE(result.tables.empty());
}

TEST(Applicability, WhatIsLeftIsShownWithANote) {
  StudyResult result = result_with({"causal", "smooth"});
  const std::vector<LeftOut> left_out{{"tracker = viterbi", "no reason"}, {"tracker = viterbi", "no reason"}};
  judge_applicability(result, settings_of(two), left_out);
  EXPECT_TRUE(result.obstacle.empty());
  EXPECT_EQ(result.notes, (Notes{{"", NoteKind::left_out, "Without tracker = viterbi: no reason."}}));
}

TEST(Applicability, NoRowsAreAnObstacle) {
  StudyResult result = result_with({});
  const std::vector<LeftOut> left_out{{"everything", "no EEG"}};
  judge_applicability(result, settings_of(two), left_out);
  EXPECT_EQ(result.obstacle, "no EEG");
}

TEST(Applicability, TheCommonestReasonIsTold) {
  StudyResult result = result_with({});
  const std::vector<LeftOut> left_out{{"a", "another name"}, {"b", "no EEG"}, {"c", "no EEG"}};
  judge_applicability(result, settings_of(two), left_out);
  EXPECT_EQ(result.obstacle, "no EEG");
}

}  // namespace
}  // namespace heed::study
