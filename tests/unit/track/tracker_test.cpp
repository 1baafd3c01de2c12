// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/track/tracker.h>

namespace heed::track {
namespace {

TEST(Decide, TakesTheMostProbableAndHoldsOnATie) {
  const Posteriors posteriors{.values = (Matrix(5, 2) << .5, .5, .2, .8, .5, .5, .9, .1, .5, .5).finished(),
                              .window = Seconds{2},
                              .log_evidence = -3,
                              .held = 1};
  const Path path = decide(posteriors);
  EXPECT_EQ(path.states, (std::vector<Speaker>{0, 1, 1, 0, 0}));
  EXPECT_EQ(path.window, Seconds{2});
  EXPECT_EQ(path.held, 1);
}

TEST(Decide, OfNothingIsNothing) { EXPECT_TRUE(decide(Posteriors{Matrix(0, 2)}).states.empty()); }

}  // namespace
}  // namespace heed::track
