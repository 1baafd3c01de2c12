// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sim/recording_story.h>

namespace heed::sim {
namespace {

TEST(SyllableShape, RisesQuicklyFallsSlowlyAndAdds) {
  Story story;
  story.duration = Seconds{1};
  story.syllables.push_back({Seconds{0}, Seconds{1}, 2.0, Hertz{100}, {}, 0});
  const Eigen::VectorXd one = story_amplitude(story, {Hertz{1000}, Seconds{0}, 1000});
  Index peak = 0;
  EXPECT_NEAR(one.maxCoeff(&peak), 2.0, 1e-12);
  EXPECT_EQ(peak, 350);
  EXPECT_NEAR(one[175], 1.0, 1e-12);  // half way up
  EXPECT_NEAR(one[675], 1.0, 1e-12);  // half way down
  story.syllables.push_back(story.syllables.front());
  const Eigen::VectorXd two = story_amplitude(story, {Hertz{1000}, Seconds{0}, 1000});
  EXPECT_LT((two - 2 * one).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SyllableShape, NothingIsSaidAfterTheEnd) {
  Story story;
  story.duration = Seconds{0.5};
  story.syllables.push_back({Seconds{0.3}, Seconds{1}, 1.0, Hertz{100}, {}, 0});
  const Eigen::VectorXd amplitude = story_amplitude(story, {Hertz{100}, Seconds{-0.1}, 100});
  EXPECT_EQ(amplitude.head(40).maxCoeff(), 0);  // before .3 s
  EXPECT_GT(amplitude.segment(45, 14).minCoeff(), 0);
  EXPECT_EQ(amplitude.tail(39).maxCoeff(), 0);  // after .5 s
}

}  // namespace
}  // namespace heed::sim
