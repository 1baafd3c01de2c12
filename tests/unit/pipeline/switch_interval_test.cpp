// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pipeline/switch_interval.h>

#include <string>

#include "support/expect_error.h"

namespace {

using heed::SwitchInterval;
using heed::pipeline::parse_interval;

SwitchInterval interval(const std::string& text) { return parse_interval("--switch-every", text); }

TEST(SwitchInterval, IsANumberOfSecondsOrARange) {
  EXPECT_EQ(interval("300").shortest.value, 300);
  EXPECT_EQ(interval("300").longest.value, 300);
  EXPECT_EQ(interval("2.5").longest.value, 2.5);
  EXPECT_EQ(interval("60-125").shortest.value, 60);
  EXPECT_EQ(interval("60-125").longest.value, 125);
  EXPECT_EQ(interval("2.5-2.5").shortest.value, 2.5) << "no range, so it need not be whole";
}

TEST(SwitchInterval, RefusesWhatIsNoTimeNamingTheOption) {
  for (const char* text : {"", "abc", "0", "-5", "60-", "125-60", "1.5-3", "1-2.5", "60-125-200", "nan"}) {
    heed::test::expect_error(heed::ErrorKind::invalid_argument,
                             {"--switch-every " + std::string(text) + ": give seconds"}, [&] { (void)interval(text); });
  }
}

}  // namespace
