// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sources/json_line.h>
#include <rapidcheck/gtest.h>
#include <support/expect_error.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heed::live {
namespace {

double number_in(const std::string& text) {
  JsonLine json(text);
  const double value = json.number();
  json.finish();
  return value;
}

std::string text_in(const std::string& line) {
  JsonLine json(line);
  std::string text;
  json.text_into(text);
  json.finish();
  return text;
}

TEST(JsonLine, ReadsWhatIsAskedFor) {
  JsonLine json(R"( {"a" : [ 1, -2.5e3 ,null], "b":{}, "c":[], "d":true,"e":"\u00e9\ud83d\ude00\/\\\""} )");
  std::vector<double> numbers;
  std::string text;
  bool flag = false;
  json.object([&](std::string_view key) {
    if (key == "a") json.array([&] { numbers.push_back(json.number_or_null()); });
    if (key == "b") json.object([](std::string_view) { FAIL(); });
    if (key == "c") json.array([] { FAIL(); });
    if (key == "d") flag = json.boolean();
    if (key == "e") json.text_into(text);
  });
  json.finish();
  ASSERT_EQ(numbers.size(), 3U);
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(numbers[1], -2500);
  EXPECT_TRUE(std::isnan(numbers[2]));
  EXPECT_TRUE(flag);
  EXPECT_EQ(text, "\u00e9\U0001f600/\\\"");
}

TEST(JsonLine, RefusesWhatJsonDoesNotAllow) {
  for (const char* text :
       {"", "+1", "01", ".5", "1.", "1e", "0x10", "inf", "-", "--1", "1 2", "\"1\"", "null", "true", "1,"}) {
    EXPECT_THROW((void)number_in(text), Error) << text;
  }
  for (const char* text : {R"("a)", R"('a')", R"("\x")", R"("\u12")", R"("\u12g4")", R"("\ud800")", R"("\ud800\u0041")",
                           R"("\udc00")", "\"\x01\"", "\"\xff\"", R"("\u0000")", R"("\n")", R"(a)", "\"\\", ""}) {
    EXPECT_THROW((void)text_in(text), Error) << text;
  }
  for (const char* text : {"[1,]", "[1 2]", "[,1]", "[1", "{1}", "[1]]"}) {
    EXPECT_THROW(
        {
          JsonLine json(text);
          json.array([&] { (void)json.number(); });
          json.finish();
        },
        Error)
        << text;
  }
}

TEST(JsonLine, SaysWhereAndWhat) {
  test::expect_error(ErrorKind::bad_data, {"column 1", "'NaN'", "null"}, [] { (void)number_in("NaN"); });
  test::expect_error(ErrorKind::bad_data, {"'-Infinity'", "null"}, [] { (void)number_in("-Infinity"); });
  test::expect_error(ErrorKind::bad_data, {"1e999", "double precision"}, [] { (void)number_in("1e999"); });
  test::expect_error(ErrorKind::bad_data, {"column 3", "'abc'", "a comma or ]"}, [] {
    JsonLine json("[1abc]");
    json.array([&] { (void)json.number(); });
  });
  test::expect_error(ErrorKind::bad_data, {"the line ends"}, [] { (void)number_in("  "); });
}

RC_GTEST_PROP(JsonLine, NumbersAreThoseOfAnotherReader, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const std::string text = nlohmann::json(value).dump();
  RC_ASSERT(std::bit_cast<std::uint64_t>(number_in(text)) == bits);
}

RC_GTEST_PROP(JsonLine, TextsAreThoseOfAnotherWriter, (const std::vector<std::uint16_t>& letters, bool ascii)) {
  std::string text;
  for (const std::uint16_t letter : letters) {
    const bool surrogate = letter >= 0xd800 && letter < 0xe000;
    if (letter < ' ' || surrogate) continue;
    // By way of the other library: \uXXXX to UTF-8.
    std::array<char, 8> escaped{};
    (void)std::snprintf(escaped.data(), escaped.size(), "\\u%04x", letter);
    text += nlohmann::json::parse("\"" + std::string(escaped.data()) + "\"").get<std::string>();
  }
  RC_ASSERT(text_in(nlohmann::json(text).dump(-1, ' ', ascii)) == text);
}

}  // namespace
}  // namespace heed::live
