// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <report/text.h>

namespace heed::report {
namespace {

TEST(Text, WidthIsTheSumOfAdvances) {
  EXPECT_DOUBLE_EQ(text_width("", 7), 0);
  EXPECT_DOUBLE_EQ(text_width("i", 10), 2.78);
  EXPECT_DOUBLE_EQ(text_width("~", 10), 8.38) << "the last of the table";
  EXPECT_DOUBLE_EQ(text_width("Wi", 10), 9.89 + 2.78);
  EXPECT_DOUBLE_EQ(text_width("é", 10), 7) << "one letter of two bytes";
  EXPECT_DOUBLE_EQ(text_width("話", 10), 10);
}

TEST(Text, ElidesWhatDoesNotFit) {
  EXPECT_EQ(elided("speaker", 10, 100), "speaker");
  EXPECT_EQ(elided("speaker", 10, text_width("speaker", 10)), "speaker") << "just fits";
  EXPECT_EQ(elided("speaker", 10, 30), "spe...");
  EXPECT_EQ(elided("ééééé", 10, 25), "éé...") << "never half a letter";
}

TEST(Text, WrapsBetweenWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("one two", 10, 100, 3), (Lines{"one two"}));
  EXPECT_EQ(wrapped("one two three", 10, text_width("one two", 10), 3), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 10, text_width("one two", 10), 1), (Lines{"one t..."})) << "no second line";
  EXPECT_EQ(wrapped("mmmmmmmmmm b", 10, 40, 3), (Lines{"mmm..."})) << "a word that fits nowhere";
  EXPECT_TRUE(wrapped("", 10, 100, 3).empty());
}

TEST(Text, BrokenBytesAndControlsAreReplaced) {
  EXPECT_EQ(printable("naïve 話 −"), "naïve 話 −");
  EXPECT_EQ(printable("a\xFFz"), "a?z");
  EXPECT_EQ(printable("a\xC3"), "a?") << "cut in half";
  EXPECT_EQ(printable("\xC0\xAF"), "??") << "overlong";
  EXPECT_EQ(printable("\xED\xA0\x80"), "???") << "a surrogate";
  EXPECT_EQ(printable("\xF5\x80\x80\x80"), "????") << "beyond Unicode";
  EXPECT_EQ(printable("a\nb\tc\x7F"), "a b c ");
  EXPECT_EQ(printable("\xC2\x85\xEF\xBF\xBF"), "  ") << "refused by XML";
}

RC_GTEST_PROP(Text, AnyBytesBecomePrintableOnce, (const std::string& bytes)) {
  const std::string clean = printable(bytes);
  RC_ASSERT(printable(clean) == clean);
  RC_ASSERT(clean.find('\n') == std::string::npos);
}

RC_GTEST_PROP(Text, ElidedTextFitsItsRoom, (const std::string& bytes)) {
  const double room = *rc::gen::inRange(20, 200);
  RC_ASSERT(text_width(elided(bytes, 7, room), 7) <= room + 1e-9);
}

TEST(Text, MessagesBecomeSentences) {
  EXPECT_EQ(sentence("windows overlap, so evidence counts twice"), "Windows overlap, so evidence counts twice.");
  EXPECT_EQ(sentence("It is known."), "It is known.");
  EXPECT_EQ(sentence("sub-01.bdf: no markers"), "sub-01.bdf: no markers.") << "a name";
  EXPECT_EQ(sentence("p is 0.001"), "p is 0.001.") << "a symbol";
  EXPECT_EQ(sentence("heed score makes it"), "heed score makes it.") << "itself";
  EXPECT_EQ(sentence(""), "");
}

TEST(Text, NumbersAreShort) {
  EXPECT_EQ(number_label(0.5), "0.5");
  EXPECT_EQ(number_label(20), "20");
  EXPECT_EQ(number_label(0.1 + 0.2), "0.3");
  EXPECT_EQ(number_label(-3), "−3") << "a minus sign, not a hyphen";
  EXPECT_EQ(number_label(-0.04, 1), "0") << "zero has no sign";
  EXPECT_EQ(number_label(12.36, 1), "12.4");
}

}  // namespace
}  // namespace heed::report
