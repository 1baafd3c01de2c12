// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/tsv.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/allocation_counter.h"
#include "support/expect_error.h"

namespace heed::io {
namespace {

using test::expect_error;

void expect_bad(std::string_view text, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] {
    TsvReader reader(text);
    while (reader.next()) {
    }
  });
}

TEST(ParseNumber, TakesDecimalNumbersWhole) {
  EXPECT_EQ(parse_number("0.125"), 0.125);
  EXPECT_EQ(parse_number("-3"), -3);
  EXPECT_EQ(parse_number("+2.5"), 2.5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5);
  EXPECT_EQ(parse_number("1e-3"), 0.001);
  EXPECT_EQ(parse_number("-1E+2"), -100);
  EXPECT_EQ(parse_number("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(CheckWritable, NamesThatTablesCanHold) {
  EXPECT_NO_THROW(check_writable("J\xc3\xbcrgen, \"left\"", "a speaker"));
  EXPECT_NO_THROW(check_writable("J\xfcrgen", "a speaker"));  // of a table in another encoding, as it was read
  for (const auto& [name, words] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"", "a speaker has no name"},
           {"n/a", "'n/a'; tabs, line ends and n/a have a meaning"},
           {"a\tb", "have a meaning"},
           {"a\nb", "have a meaning"}}) {
    expect_error(ErrorKind::invalid_argument, {"cannot write the table", words},
                 [&, cell = name] { check_writable(cell, "a speaker"); });
  }
}

TEST(ParseNumber, TakesNothingElse) {
  for (const std::string_view text : {"",    "+",   "-",    "+-1",    "++1",   "--1",    ".",    "e5",   "1e",
                                      "1 ",  " 1",  "1,5",  "0x10",   "1.2.3", "inf",    "-inf", "+inf", "infinity",
                                      "nan", "NaN", "-nan", "nan(1)", "1e999", "-1e999", "abc",  "1a",   "n/a"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, DoesNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "C.UTF-8"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;
    EXPECT_EQ(parse_number("1.5"), 1.5) << name;
    EXPECT_EQ(number_text(1.5), "1.5") << name;
  }
  (void)std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(NumberText, RoundsToSignificantDigits) {
  EXPECT_EQ(number_text(0.123456789), "0.123457");
  EXPECT_EQ(number_text(0.123456789, 2), "0.12");
  EXPECT_EQ(number_text(0, 6), "0");
  EXPECT_EQ(number_text(1e-9, 1), "1e-09");
  EXPECT_EQ(number_text(0.1, 17), "0.10000000000000001");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "n/a");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "n/a");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::max(), 17), "-1.7976931348623157e+308");
}

RC_GTEST_PROP(NumberText, SeventeenDigitsReadBackExactly, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const auto back = parse_number(number_text(value, 17));
  RC_ASSERT(back.has_value());
  RC_ASSERT(std::bit_cast<std::uint64_t>(*back) == bits);
}

TEST(InQuotes, CutsLongCellsBetweenCharacters) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes(std::string(41, 'a')), "'" + std::string(40, 'a') + "...'");
  EXPECT_EQ(in_quotes(std::string(39, 'a') + "\xc3\xa4\xc3\xa4"), "'" + std::string(39, 'a') + "...'");
}

TEST(TsvReader, WalksOverATable) {
  TsvReader reader("onset\tleft\tright\n0\t0.5\tn/a\n1\t-1\t+2\n");
  ASSERT_EQ(reader.names().size(), 3U);
  EXPECT_EQ(reader.names()[2], "right");
  EXPECT_EQ(reader.find("left"), 1U);
  EXPECT_EQ(reader.find("centre"), std::nullopt);
  EXPECT_EQ(reader.row(), 1U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.row(), 2U);
  EXPECT_EQ(reader.number(1), 0.5);
  EXPECT_EQ(reader.number(2), std::nullopt);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.row(), 3U);
  EXPECT_EQ(reader.cell(2), "+2");
  EXPECT_EQ(reader.number(2), 2);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(TsvReader, LineEndsMayBeAnyOrMissing) {
  for (const std::string_view text :
       {"a\tb\n1\t2\n", "a\tb\n1\t2", "a\tb\r\n1\t2\r\n", "a\tb\r\n1\t2", "a\tb\n1\t2\n\n\r\n"}) {
    TsvReader reader(text);
    EXPECT_EQ(reader.names()[1], "b");
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.cell(1), "2");
    EXPECT_FALSE(reader.next());
  }
}

TEST(TsvReader, AHeaderAloneHasNoRows) {
  TsvReader reader("a\tb\n");
  EXPECT_FALSE(reader.next());
}

TEST(TsvReader, AnEmptyLastCellIsACell) {
  TsvReader reader("a\tb\n1\t");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.cell(1), "");
  expect_error(ErrorKind::bad_data, {"row 2, column b", "'' is not a number"}, [&] { (void)reader.number(1); });
}

TEST(TsvReader, RefusesABadHeader) {
  expect_bad("", {"empty", "header"});
  expect_bad("\n\n", {"empty", "header"});
  expect_bad("\na\tb\n1\t2\n", {"row 1 is empty"});
  expect_bad("a\t\tb\n", {"row 1, column 2", "no name"});
  expect_bad("a\tb\t\n", {"row 1, column 3", "no name"});
  expect_bad("a\tb\ta\n", {"row 1, column 3", "'a'"});
  expect_bad("0\t0.25\t-0.5\n1\t0.5\t0.5\n", {"row 1", "header"});
}

TEST(TsvReader, NumbersMayNameSpeakers) {
  TsvReader reader("1\t2\n0.5\t0.25\n");
  EXPECT_EQ(reader.names()[1], "2");
}

TEST(TsvReader, RefusesRaggedAndBlankRows) {
  expect_bad("a\tb\n1\t2\n3\n", {"row 3 has 1 cell,", "the header has 2"});
  expect_bad("a\tb\n1\t2\t3\n", {"row 2 has 3 cells"});
  expect_bad("a\tb\n1\t2\n\n3\t4\n", {"row 3 is empty"});
  expect_bad("a b\n1\t2\n", {"row 2", "tab"});
}

TEST(TsvReader, SaysWhereTextStandsForANumber) {
  TsvReader reader("a\tleft\n1\tabc\n");
  ASSERT_TRUE(reader.next());
  expect_error(ErrorKind::bad_data, {"row 2, column left: 'abc' is not a number; write a number or n/a"},
               [&] { (void)reader.number(1); });
  TsvReader comma("a\tleft\n1\t249,5\n");
  ASSERT_TRUE(comma.next());
  expect_error(ErrorKind::bad_data, {"'249,5' is not a number; write 249.5 or n/a"}, [&] { (void)comma.number(1); });
}

TEST(TsvReader, AllocatesNothingPerRowOrCell) {
  std::string text = "onset\tleft\tright\n";
  for (int i = 0; i < 1000; ++i) text += "1\t0.25\tn/a\n";
  TsvReader reader(text);
  double sum = 0;
  const test::AllocationCount allocations;
  while (reader.next()) {
    for (std::size_t c = 0; c < 3; ++c) sum += reader.number(c).value_or(0);
  }
  EXPECT_EQ(allocations.so_far(), 0U);
  EXPECT_EQ(sum, 1250);
}

}  // namespace
}  // namespace heed::io
