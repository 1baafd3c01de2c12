// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/session/described_windows.h>

namespace heed::live {
namespace {

StreamDescription scores_of_two() {
  StreamDescription stream;
  stream.content = StreamContent::scores;
  stream.speakers = {"left", "right"};
  stream.window = {5};
  stream.hop = Seconds{1};
  return stream;
}

TEST(DescribedWindows, OfScoresAreTheStreams) {
  const auto windows = windows_of(scores_of_two(), {});
  EXPECT_EQ(windows.window, Seconds{5});
  EXPECT_EQ(windows.hop, Seconds{1});
  EXPECT_FALSE(windows.steps);
}

TEST(DescribedWindows, OfSignalsAreTheOptions) {
  StreamDescription stream = scores_of_two();
  stream.content = StreamContent::signals;
  SessionOptions options;
  options.window = decode::WindowLayout(Seconds{2}, Seconds{0.5});
  EXPECT_EQ(windows_of(stream, options).window, Seconds{2});
  EXPECT_EQ(windows_of(stream, options).hop, Seconds{0.5});
}

TEST(DescribedWindows, RefuseAStreamThatNothingCanBeDecidedIn) {
  const auto refused = [](auto change) {
    StreamDescription stream = scores_of_two();
    change(stream);
    EXPECT_THROW((void)windows_of(stream, {}), Error);
  };
  refused([](StreamDescription& stream) { stream.speakers = {"left"}; });
  refused([](StreamDescription& stream) { stream.speakers = {"left", "left"}; });
  refused([](StreamDescription& stream) { stream.channels = {"Cz", "Cz"}; });
  refused([](StreamDescription& stream) { stream.window = {0}; });
  refused([](StreamDescription& stream) { stream.hop = Seconds{6}; });
  refused([](StreamDescription& stream) { stream.hop = Seconds{1e-4}; });
}

TEST(DescribedWindows, ADecoderThatLearnsHandsOverLogLikelihoods) {
  const StreamDescription stream = scores_of_two();
  SessionOptions options;
  EXPECT_EQ(tracked_content(stream, options), StreamContent::scores);
  options.adaptive.emplace();
  EXPECT_EQ(tracked_content(stream, options), StreamContent::log_likelihoods);
}

TEST(DescribedWindows, AStepIsPacedByTheSecondThatItIsMeasuredBy) {
  EXPECT_EQ(pace_of(decode::WindowLayout::in_steps({0.25})).window, Seconds{1});
  EXPECT_EQ(pace_of(decode::WindowLayout(Seconds{2}, Seconds{0.5})).window, Seconds{2});
  EXPECT_EQ(clock_of_windows({}, {2}).jitter, Seconds{0.9});
}

}  // namespace
}  // namespace heed::live
