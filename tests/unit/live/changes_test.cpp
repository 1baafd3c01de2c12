// SPDX-License-Identifier: MIT
// What viewers may change, and nothing else.
#include <gtest/gtest.h>
#include <live/page/changes.h>

#include <string>

#include "support/expect_error.h"

namespace heed::live {
namespace {

TEST(ParameterChange, ReadsNamedNumbersAndNothingElse) {
  EXPECT_EQ(parse_parameter_change(R"({"switch_probability":0.02,"enhanced":-1,"suppressed":-9,"paused":true})"),
            (ParameterChange{0.02, -1, -9, true}));
  EXPECT_EQ(parse_parameter_change("{}"), ParameterChange{});
  for (const char* bad : {"", "[]", "7", "{", R"({"rail":1})", R"({"paused":1})", R"({"enhanced":"x"})",
                          R"({"enhanced":null})", R"({"enhanced":{"a":1}})", R"({"switch_probability":1e999})",
                          R"({"__proto__":{}})", R"({"enhanced":0} {"a":1})"}) {
    test::expect_error(ErrorKind::bad_data, {}, [&] { (void)parse_parameter_change(bad); });
  }
  std::string deep;
  for (int k = 0; k < 2000; ++k) deep += "[";
  test::expect_error(ErrorKind::bad_data, {}, [&] { (void)parse_parameter_change(deep); });
}

TEST(ParameterChange, StaysWithinItsRanges) {
  const PageParameters before{};
  const PageParameters after = changed(before, {.switch_probability = 0.05, .suppressed = -6, .paused = true});
  EXPECT_EQ(after.tracking.chain.switch_probability, 0.05);
  EXPECT_EQ(after.steering.gains.suppressed_decibel, -6);
  EXPECT_EQ(after.steering.gains.enhanced_decibel, before.steering.gains.enhanced_decibel);
  EXPECT_TRUE(after.steering.paused);
  const auto refused = [&](const ParameterChange& change, std::string_view words) {
    test::expect_error(ErrorKind::invalid_argument, {words}, [&] { (void)changed(before, change); });
  };
  refused({.switch_probability = 0.0}, "from 0.0001 to 0.2");
  refused({.switch_probability = 0.5}, "from 0.0001 to 0.2");
  refused({.enhanced = 6}, "from -20 to 0");
  refused({.suppressed = -21}, "from -20 to 0");
  refused({.enhanced = -10, .suppressed = -5}, "from -20 to -10");
  PageParameters matrix{};
  matrix.tracking.chain.transition = Matrix::Identity(2, 2);
  test::expect_error(ErrorKind::invalid_argument, {"matrix"},
                     [&] { (void)changed(matrix, {.switch_probability = 0.1}); });
}

TEST(DemoWish, KnowsItsTalkers) {
  EXPECT_EQ(parse_demo_wish(R"({"attend":1})", 2), (DemoWish{.attend = 1}));
  EXPECT_EQ(parse_demo_wish(R"({"lose_eeg":true})", 2), (DemoWish{.lose_eeg = true}));
  EXPECT_EQ(parse_demo_wish(R"({"listener":"hard","talkers":3})", 2),
            (DemoWish{.listener = ListenerProfile::hard, .talkers = 3}));
  for (const char* bad :
       {R"({"attend":2})", R"({"attend":-1})", R"({"attend":0.5})", R"({"attend":18446744073709551615})",
        R"({"attend":"left"})", R"({"talkers":64})", R"({"talkers":[2]})", R"({"listener":1})", R"({"seconds":1})"}) {
    test::expect_error(ErrorKind::bad_data, {}, [&] { (void)parse_demo_wish(bad, 2); });
  }
}

}  // namespace
}  // namespace heed::live
