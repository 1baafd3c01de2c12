// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/cells/cell.h>

namespace heed::study {
namespace {

TEST(Cell, ComesBackFromItsTables) {
  const Cell cell{.tables = {{"tracking", {.columns = {"accuracy"}, .rows = {{0.9}}}}},
                  .notes = {"one", "two\nlines\tand a tab"},
                  .left_out = "no EEG"};
  const Cell back = cell_of(tables_of(cell));
  ASSERT_NE(back.find("tracking"), nullptr);
  EXPECT_EQ(back.find("tracking")->rows, cell.tables[0].table.rows);
  EXPECT_EQ(back.find("trace"), nullptr);
  EXPECT_EQ(back.notes, (std::vector<std::string>{"one", "two lines and a tab"}));
  EXPECT_EQ(back.left_out, "no EEG");
}

TEST(Cell, WithNothingToSayHasNoNotes) {
  EXPECT_TRUE(tables_of({}).empty());
  EXPECT_TRUE(cell_of({}).left_out.empty());
}

}  // namespace
}  // namespace heed::study
