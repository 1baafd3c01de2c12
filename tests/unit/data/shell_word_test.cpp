// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <gtest/gtest.h>

namespace heed::data {
namespace {

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("out/sub-01_scores.tsv"), "out/sub-01_scores.tsv");
  EXPECT_EQ(shell_word("my study"), "'my study'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace heed::data
