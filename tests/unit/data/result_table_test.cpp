// SPDX-License-Identifier: MIT
#include <data/study.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>

#include <cstdlib>

namespace heed::data {
namespace {

TEST(ResultTable, FindsItsColumns) {
  const ResultTable table{.columns = {"participant", "accuracy"}, .rows = {}};
  EXPECT_EQ(table.column("accuracy"), 1U);
}

TEST(ResultTable, NamesTheColumnsThereAre) {
  const ResultTable table{.columns = {"participant", "accuracy"}, .rows = {}};
  try {
    (void)table.column("acuracy");
    FAIL() << "no such column";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_NE(std::string(error.what()).find("participant, accuracy"), std::string::npos) << error.what();
  }
}

TEST(ResultTable, WritesNumbersThatReadBack) {
  for (const double value : {0.1, 1e-4, 300.0, 1.0 / 3, -2.5e-17}) {
    EXPECT_EQ(std::strtod(text_of(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(text_of(0.001), "0.001");
  EXPECT_EQ(text_of(300.0), "300");
}

TEST(ResultTable, WritesNothingAsMissing) {
  EXPECT_EQ(text_of({}), "n/a");
  EXPECT_EQ(text_of("causal"), "causal");
}

TEST(StudyResult, FindsItsTables) {
  const StudyResult result{.tables = {{.name = "tracking", .table = {.columns = {"a"}}}}};
  ASSERT_NE(result.find("tracking"), nullptr);
  EXPECT_EQ(result.find("tracking")->columns.front(), "a");
  EXPECT_EQ(result.find("lags"), nullptr);
  EXPECT_EQ(&result.judged(), result.find("tracking"));
  StudyResult other = result;
  other.study.measure = StudyMeasure::independence;
  EXPECT_TRUE(other.judged().columns.empty());
}

}  // namespace
}  // namespace heed::data
