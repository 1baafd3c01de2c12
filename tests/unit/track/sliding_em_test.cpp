// SPDX-License-Identifier: MIT
// The logistic function alone; state_space_test.cpp has what is made of it.
#include <gtest/gtest.h>
#include <track/sliding_em.h>

#include <cmath>

namespace heed::track {
namespace {

TEST(SlidingEm, KnowsTheLogisticFunction) {
  for (double z = -40; z <= 40; z += 0.37) {
    const double exact = 1 / (1 + std::exp(-z));
    EXPECT_NEAR(logistic(z) / exact, 1, 1e-14) << z;
  }
  EXPECT_EQ(logistic(0), 0.5);
  EXPECT_EQ(logistic(1e300), 1);
  EXPECT_EQ(logistic(-1e300), 0);
}

}  // namespace
}  // namespace heed::track
