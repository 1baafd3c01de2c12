// SPDX-License-Identifier: MIT
#include <data/switching.h>
#include <gtest/gtest.h>

namespace heed::data {
namespace {

TEST(Switching, IsToldInSeconds) {
  SwitchPosterior found{.per_second = {0.001, 0.0031622776601683794, 0.01}, .weights = {0.04, 0.78, 0.18}};
  EXPECT_EQ(most_probable(found), 1U);
  EXPECT_NEAR(switch_interval(found, 1).value, 316.2, 0.1);
  EXPECT_EQ(switching_words(found), "about every 316 s (p = 0.00316 per second, 78 %; 90 % between 100 and 316 s)");
  found.speakers = 3;
  EXPECT_NEAR(switch_interval(found, 0).value, 500, 1e-9) << "attention moves to either of two others";
  found.weights = {0.01, 0.98, 0.01};
  EXPECT_EQ(switching_words(found), "about every 158 s (p = 0.00316 per second, 98 %)");
  EXPECT_EQ(three_digits(1000), "1000");
  EXPECT_EQ(three_digits(3162.28), "3160");
}

}  // namespace
}  // namespace heed::data
