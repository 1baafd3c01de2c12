// SPDX-License-Identifier: MIT
#include "track/simplex_walk.h"

#include <gtest/gtest.h>

#include <array>

namespace heed::track {
namespace {

TEST(SimplexWalk, MovesTheWinnerByTheStepAndTheOthersByTheirPart) {
  std::array<double, 4> gains{.25, .25, .25, .25};
  walk(gains, std::array<double, 4>{0, 1, 0, 0}, 0.3);
  EXPECT_NEAR(gains[1], .55, 1e-15);
  for (const std::size_t j : {0U, 2U, 3U}) EXPECT_NEAR(gains[j], .15, 1e-15);
}

TEST(SimplexWalk, StaysOnTheSimplex) {
  std::array<double, 2> two{.9, .1};
  walk(two, std::array<double, 2>{1, 0}, 0.3);
  EXPECT_EQ(two, (std::array<double, 2>{1, 0}));
  std::array<double, 3> three{.9, .05, .05};
  walk(three, std::array<double, 3>{1, 0, 0}, 5);
  EXPECT_EQ(three, (std::array<double, 3>{1, 0, 0}));
}

TEST(SimplexWalk, EqualSharesMoveNobody) {
  std::array<double, 3> gains{.5, .3, .2};
  walk(gains, std::array<double, 3>{1.0 / 3, 1.0 / 3, 1.0 / 3}, 0.4);
  EXPECT_NEAR(gains[0], .5, 1e-15);
  EXPECT_NEAR(gains[1], .3, 1e-15);
}

TEST(DecideGains, TakesRoundingForATie) {
  const Posteriors gains{
      .values = (Matrix(4, 3) << .2, .6, .2, .5 + 1e-15, .5 - 1e-15, 0, .5 + 1e-6, .5 - 1e-6, 0, .1, .45, .45 + 1e-16)
                    .finished(),
      .window = Seconds{1},
      .log_evidence = 0,
      .held = 0};
  EXPECT_EQ(decide_gains(gains).states, (std::vector<Speaker>{1, 1, 0, 0}));
}

}  // namespace
}  // namespace heed::track
