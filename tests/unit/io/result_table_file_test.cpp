// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <io/result_table_file.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace heed::io {
namespace {

TEST(ResultTableFile, WritesWhatItReads) {
  const std::string text = "participant\ttrial\taccuracy\n01\t3\t0.97\nsub-02\tn/a\t1e-05\n";
  const ResultTable table = parse_table(text);
  EXPECT_EQ(table.rows[0][0], TableValue("01")) << "a name, not the number one";
  EXPECT_EQ(table.rows[0][1], TableValue(3.0));
  EXPECT_EQ(table.rows[1][1], TableValue());
  EXPECT_EQ(table.rows[1][2], TableValue(1e-5));
  EXPECT_EQ(table_text(table), text);
}

RC_GTEST_PROP(ResultTableFile, NumbersReadBackToTheBit, (double value)) {
  RC_PRE(std::isfinite(value));
  const ResultTable table{.columns = {"value"}, .rows = {{value}}};
  const ResultTable back = parse_table(table_text(table));
  RC_ASSERT(std::get<double>(back.rows[0][0]) == value);
}

TEST(ResultTableFile, RefusesWordsThatBreakTheTable) {
  for (const char* word : {"a\tb", "a\nb", ""}) {
    const ResultTable table{.columns = {"name"}, .rows = {{std::string(word)}}};
    EXPECT_THROW((void)table_text(table), Error) << word;
  }
}

TEST(ResultTableFile, NamesTheRowThatIsTooShort) {
  try {
    (void)parse_table("a\tb\n1\t2\n3\n");
    FAIL() << "a cell is missing";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(std::string(error.what()).find("row 3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heed::io
