// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace heed::data {
namespace {

TEST(Shown, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(shown(1.5), "1.5");
  EXPECT_EQ(shown(600), "600");
  EXPECT_EQ(shown(-0.25), "-0.25");
  EXPECT_EQ(shown(1.0 / 3), "0.333333");
  EXPECT_EQ(shown(1e-12), "1e-12");
  EXPECT_EQ(shown(1234567), "1.23457e+06");
}

constexpr std::array<std::string_view, 3> verbs{"track", "evaluate", "simulate"};

TEST(DidYouMean, NamesTheNearestWord) {
  EXPECT_EQ(did_you_mean("trakc", verbs), ", did you mean 'track'?");  // letters that changed places
  EXPECT_EQ(did_you_mean("tracks", verbs), ", did you mean 'track'?");
  EXPECT_EQ(did_you_mean("simulat", verbs), ", did you mean 'simulate'?");
  EXPECT_EQ(did_you_mean("eva", verbs), ", did you mean 'evaluate'?");  // a beginning
}

TEST(DidYouMean, IsSilentWhereNoneIsNear) {
  EXPECT_EQ(did_you_mean("decode", verbs), "");
  EXPECT_EQ(did_you_mean("ev", verbs), "");
  EXPECT_EQ(did_you_mean("track", {}), "");
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("out/sub-01_scores.tsv"), "out/sub-01_scores.tsv");
  EXPECT_EQ(shell_word("my study"), "'my study'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace heed::data
