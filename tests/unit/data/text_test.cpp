// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/text.h>

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

}  // namespace
}  // namespace heed::data
