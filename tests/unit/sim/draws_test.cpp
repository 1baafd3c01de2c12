// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <sim/draws.h>

#include <set>

namespace heed::sim {
namespace {

TEST(Switching, FixedIntervalsDrawNothing) {
  RandomStream random(1);
  RandomStream untouched(1);
  EXPECT_EQ(draw_interval({Seconds{2.5}, Seconds{2.5}}, random), Seconds{2.5});
  EXPECT_EQ(random.bits(), untouched.bits());
}

TEST(Switching, RangesAreWholeSecondsWithBothEnds) {
  RandomStream random(1);
  std::set<double> seen;
  for (int k = 0; k < 200; ++k) seen.insert(draw_interval({Seconds{3}, Seconds{6}}, random).value);
  EXPECT_EQ(seen, (std::set<double>{3, 4, 5, 6}));
}

TEST(Switching, RefusesIntervalsWithoutMeaning) {
  EXPECT_NO_THROW(check_interval({Seconds{0.5}, Seconds{0.5}}));
  EXPECT_THROW(check_interval({Seconds{0}, Seconds{0}}), Error);
  EXPECT_THROW(check_interval({Seconds{9}, Seconds{6}}), Error);
  EXPECT_THROW(check_interval({Seconds{6.5}, Seconds{9}}), Error);
  EXPECT_THROW(check_interval({Seconds{1}, Seconds{1e9}}), Error);
}

}  // namespace
}  // namespace heed::sim
