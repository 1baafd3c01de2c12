// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/recording/header_text.h>
#include <io/text_file.h>

namespace heed::io {
namespace {

TEST(HeaderText, IsMadeUtf8) {
  EXPECT_EQ(clean_text("\xb5V"), "µV");
  EXPECT_EQ(clean_text("µV"), "µV");
  EXPECT_EQ(clean_text("a\tb\x7f"), "a b ");
  EXPECT_EQ(clean_text("\xc2\x9b"
                       "31m\xc2\x80\xc2\x9f\xc2\xa0é"),
            " 31m  \xc2\xa0é");
  EXPECT_EQ(clean_text("c\x8d"
                       "ar \xb5"),
            "c ar µ");
  EXPECT_EQ(unit_text(" \xce\xbcV "), "µV");
  EXPECT_TRUE(is_utf8("é€😀"));
  for (const std::string_view bad : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"})
    EXPECT_FALSE(is_utf8(bad));
}

TEST(HeaderText, ParsesWholeNumbers) {
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("+12"), 12);
  for (const std::string_view bad : {"", "1.5", "1 ", "x", "+-1", "99999999999999999999"})
    EXPECT_FALSE(parse_integer(bad)) << bad;
}

TEST(HeaderText, NumbersNamesAlike) {
  std::vector<std::string> names{"a", "b", "a", "a-0", "a"};
  std::vector<std::string> notes;
  make_unique(names, notes);
  EXPECT_EQ(names, (std::vector<std::string>{"a-1", "b", "a-2", "a-0", "a-3"}));
  EXPECT_EQ(notes.size(), 1U);
}

TEST(HeaderText, ParsesTimesThatExist) {
  for (const std::string text : {"2026-11-15T09:30:00", "2024-02-29T23:59:59", "2026-11-15T09:30:00.250000"}) {
    const auto time = parse_time(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time_text(*time), text);
  }
  EXPECT_EQ(parse_time("2026-11-15 09:30:00.5")->microsecond, 500'000);
  for (const std::string_view bad :
       {"", "2026-11-15", "2026-02-29T00:00:00", "2026-13-01T00:00:00", "2026-11-15T24:00:00", "2026-11-15T09:30:00Z",
        "2026/11/15T09:30:00", "2026-11-15T09:30:00.x"}) {
    EXPECT_FALSE(parse_time(bad)) << bad;
  }
}

}  // namespace
}  // namespace heed::io
