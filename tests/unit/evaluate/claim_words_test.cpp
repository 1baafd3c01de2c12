// SPDX-License-Identifier: MIT
#include <evaluate/claim_words.h>
#include <gtest/gtest.h>

namespace heed::evaluate {
namespace {

TEST(ClaimWords, AreThoseOfTheMeasure) {
  EXPECT_EQ(in_words(20.26, "switch_time"), "20.3 s");
  EXPECT_EQ(in_words(-0.01, "signed_switch_time"), "0.0 s");
  EXPECT_EQ(in_words(0.125, "miss_rate"), "12.5 %");
  EXPECT_EQ(in_words(1.5, "false_switch_rate"), "1.50 per minute");
  EXPECT_EQ(in_words(0.8765, "correlation"), "0.877");
  EXPECT_EQ(difference_in_words(0.02, "accuracy"), "2.0 points");
  EXPECT_EQ(difference_in_words(4.1, "switch_time"), "4.1 s");
  EXPECT_EQ(with_decimals(53.4, 0), "53");
  EXPECT_EQ(p_in_words(0.0004), "p < 0.001");
  EXPECT_EQ(p_in_words(0.0391), "p = 0.039");
  EXPECT_EQ(p_in_words(0.949), "p = 0.95");
}

}  // namespace
}  // namespace heed::evaluate
