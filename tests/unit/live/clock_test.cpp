// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <live/clock/clock.h>

namespace heed::live {
namespace {

TEST(Clock, VirtualTimePassesByWaitingOnly) {
  VirtualClock clock;
  EXPECT_EQ(clock.now().value, 0);
  clock.wait_until({12.5});
  EXPECT_EQ(clock.now().value, 12.5);
  clock.wait_until({3});
  EXPECT_EQ(clock.now().value, 12.5);
}

TEST(Clock, SteadyTimeNeverRunsBackwardsAndWaitingReachesIt) {
  SteadyClock clock;
  const Seconds start = clock.now();
  clock.wait_until(start + Seconds{0.002});
  EXPECT_GE(clock.now().value, start.value + 0.002);
  clock.wait_until(start);  // past: at once
}

}  // namespace
}  // namespace heed::live
