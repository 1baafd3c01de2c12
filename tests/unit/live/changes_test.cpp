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
