// SPDX-License-Identifier: MIT
// A story's sound has its level, its pitch and its own voice.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <sim/recording_story.h>

#include <algorithm>
#include <cmath>

namespace heed::sim {
namespace {

TEST(StorySound, IsAsLongAsTheStoryAndNeverTooLoud) {
  for (const double rate : {8000.0, 16000.0, 22050.0}) {
    const Story story = simulate_story(1, 1, Seconds{5.5});
    const Sound sound = story_sound(story, Hertz{rate});
    EXPECT_EQ(sound.samples.size(), static_cast<std::size_t>(5.5 * rate));
    EXPECT_EQ(sound.sampling_frequency, Hertz{rate});
    float largest = 0;
    for (const float value : sound.samples) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0.05F);
    EXPECT_LT(largest, 1.0F);
  }
  EXPECT_THROW((void)story_sound(simulate_story(1, 1, Seconds{1}), Hertz{4000}), Error);
}

// The truth that drives the brain is in the sound: short-time level against the known amplitude.
TEST(StorySound, LevelFollowsTheEnvelope) {
  const Story story = simulate_story(1, 2, Seconds{30});
  const Sound sound = story_sound(story, Hertz{16000});
  constexpr Index frames = 3000;  // of 10 ms
  const Eigen::VectorXd truth = story_envelope(story, {Hertz{100}, Seconds{0.005}, frames});
  Eigen::VectorXd level(frames);
  for (Index f = 0; f < frames; ++f) {
    double squares = 0;
    for (Index n = 160 * f; n < 160 * (f + 1); ++n) {
      squares += std::pow(static_cast<double>(sound.samples[static_cast<std::size_t>(n)]), 2);
    }
    level[f] = std::pow(squares / 160, 0.3);
  }
  const Eigen::VectorXd a = truth.array() - truth.mean();
  const Eigen::VectorXd b = level.array() - level.mean();
  EXPECT_GT(a.dot(b) / std::sqrt(a.squaredNorm() * b.squaredNorm()), 0.95);
}

// A long vowel repeats with its pitch.
TEST(StorySound, VowelsHaveTheirPitch) {
  for (const double pitch : {100.0, 200.0}) {
    Story story;
    story.duration = Seconds{1};
    story.syllables.push_back({Seconds{0}, Seconds{1}, 1.0, Hertz{pitch}, {Hertz{730}, Hertz{1090}, Hertz{2440}}, 0});
    const auto samples = story_sound(story, Hertz{16000}).samples;
    const auto likeness = [&](std::size_t lag) {
      double product = 0;
      double power = 0;
      for (std::size_t n = 4000; n < 8000; ++n) {
        product += static_cast<double>(samples[n] * samples[n + lag]);
        power += static_cast<double>(samples[n] * samples[n]);
      }
      return product / power;
    };
    const auto period = static_cast<std::size_t>(16000 / pitch);
    EXPECT_GT(likeness(period), 0.9);
    EXPECT_LT(likeness(period / 2), 0.7);
  }
}

TEST(StorySound, IsTheSameEachTimeAndDiffersFromTalkerToTalker) {
  const auto first = story_sound(simulate_story(1, 1, Seconds{2}), Hertz{8000}).samples;
  EXPECT_EQ(first, story_sound(simulate_story(1, 1, Seconds{2}), Hertz{8000}).samples);
  EXPECT_NE(first, story_sound(simulate_story(1, 2, Seconds{2}), Hertz{8000}).samples);
}

}  // namespace
}  // namespace heed::sim
