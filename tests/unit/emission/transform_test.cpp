// SPDX-License-Identifier: MIT
#include <emission/transform.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>

#include <cmath>
#include <limits>

namespace heed::emission {
namespace {

TEST(Transformed, IsFishersForCorrelationsAndNothingOtherwise) {
  EXPECT_DOUBLE_EQ(transformed(0.5, true), std::log(3.0) / 2);  // atanh(x) = log((1+x)/(1-x))/2
  EXPECT_DOUBLE_EQ(transformed(0.5, false), 0.5);
  EXPECT_DOUBLE_EQ(transformed(-7.5, false), -7.5);
  EXPECT_DOUBLE_EQ(transformed(1, true), -transformed(-1, true));
  EXPECT_DOUBLE_EQ(transformed(1, true), std::atanh(1 - 1e-7));
}

TEST(Transformed, RefusesWhatIsNoScore) {
  EXPECT_THROW((void)transformed(1.0001, true), Error);
  EXPECT_THROW((void)transformed(-1.0001, true), Error);
  EXPECT_THROW((void)transformed(std::numeric_limits<double>::infinity(), false), Error);
}

}  // namespace
}  // namespace heed::emission
