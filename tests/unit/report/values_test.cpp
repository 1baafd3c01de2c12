// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <report/study/values.h>

#include <algorithm>
#include <cmath>

namespace heed::report {
namespace {

TEST(Swarm, LeavesAloneWhatIsApart) {
  EXPECT_EQ(swarm_of(std::vector<double>{30, 10, 20}, {2, 5}).offsets, (std::vector<double>{0, 0, 0}));
}

TEST(Swarm, MovesEqualDotsToBothSides) {
  const Swarm swarm = swarm_of(std::vector<double>{7, 7, 7}, {2, 5});
  EXPECT_TRUE(swarm.clear);
  EXPECT_EQ(swarm.offsets, (std::vector<double>{0, 2, -2}));
}

TEST(Swarm, FullRoomsOverlapButStayRooms) {
  const std::vector<double> places(40, 3.0);
  const Swarm swarm = swarm_of(places, {2, 5});
  EXPECT_FALSE(swarm.clear);
  for (const double offset : swarm.offsets) EXPECT_LE(std::abs(offset), 5 + 1e-9);
}

// Half the room holds so many dots in a row; while no more crowd within a diameter, none hides another.
RC_GTEST_PROP(Swarm, KeepsDotsClearOfEachOther, ()) {
  const auto raw = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 400));
  std::vector<double> places;
  for (const int one : raw) {
    const double place = one / 4.0;
    const auto near = std::ranges::count_if(places, [&](double other) { return std::abs(other - place) < 2; });
    if (near < 2) places.push_back(place);
  }
  const auto [offsets, clear] = swarm_of(places, {2, 8});
  RC_ASSERT(clear);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      RC_ASSERT(std::hypot(places[i] - places[j], offsets[i] - offsets[j]) >= 2 - 1e-9);
    }
  }
}

}  // namespace

}  // namespace heed::report
