// SPDX-License-Identifier: MIT
// The words that the page has for what happens.
#include <gtest/gtest.h>
#include <live/page/words.h>

#include <string>

namespace heed::live {
namespace {

PageReport decided(double end, Speaker decision, double probability) {
  PageReport report{.end = {end}, .stream_time = {end + 0.5}, .decision = decision, .standing = Standing::tracking};
  report.posterior = {1 - probability, 1 - probability};
  report.posterior[static_cast<std::size_t>(decision)] = probability;
  return report;
}

std::string texts(PageWords& words) {
  std::string all;
  for (const PageWords::Line& line : words.take()) all += line.text + "\n";
  return all;
}

TEST(PageWords, TellHowLongHeedTookToFindOut) {
  PageWords words({"left", "right"});
  words.mark({{20}, 1});  // known beforehand, as in a replay
  words.mark({{0}, 0});
  words.report(decided(1, 0, 0.55));
  EXPECT_EQ(texts(words), "The listener attends to left.\n") << "55 % is not sure";
  words.report(decided(2, 0, 0.9));
  EXPECT_EQ(
      texts(words),
      "heed hears that left is attended, 90 % sure.\nheed found out after 2.5 s that the listener attends to left.\n");
  words.report(decided(20, 0, 0.9));
  EXPECT_EQ(texts(words), "The listener's attention moves to right.\n");
  EXPECT_EQ(words.truth(), 1);
  words.report(decided(27, 1, 0.7));
  const auto lines = words.take();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].kind, "found");
  EXPECT_NEAR(lines[1].delay->value, 7.5, 1e-12);
  // The gains follow within the slew limit, and that is told, too.
  PageReport follows = decided(28, 1, 0.9);
  follows.gains = {-6, -3.5};
  words.report(follows);
  EXPECT_EQ(texts(words), "");
  follows = decided(29, 1, 0.9);
  follows.gains = {-9, -1};
  words.report(follows);
  words.report(follows);
  EXPECT_EQ(texts(words), "right is in front, 9.5 s after attention moved.\n");
}

// Attention that comes back before heed has followed it was not found out, however soon heed is right.
TEST(PageWords, WhatWasBelievedBeforeIsNotFoundOut) {
  PageWords words({"left", "right"});
  words.mark({{0}, 0});
  words.report(decided(1, 0, 0.9));
  (void)words.take();
  words.mark({{10}, 1});
  words.report(decided(11, 0, 0.9));
  EXPECT_EQ(texts(words), "The listener's attention moves to right.\n");
  words.mark({{12}, 0});
  words.report(decided(12, 0, 0.55));
  PageReport after = decided(13, 0, 0.9);
  after.gains = {0, -12};
  words.report(after);
  EXPECT_EQ(texts(words), "The listener's attention moves to left.\nheed took left for attended already.\n");
  words.mark({{20}, 1});
  words.report(decided(24, 1, 0.9));
  EXPECT_NE(texts(words).find("heed found out after 4.5 s that the listener attends to right."), std::string::npos);
}

TEST(PageWords, NobodyIsAHundredPercentSure) {
  PageWords words({"left", "right"});
  words.report(decided(1, 0, 0.99));
  words.report(decided(2, 1, 0.9999));
  EXPECT_EQ(texts(words),
            "heed hears that left is attended, 99 % sure.\nheed hears that right is attended, over 99 % sure.\n");
}

// As in a replay of several runs, or where an amplifier is started again.
TEST(PageWords, TellOfATrialWhoseTimeBeginsAnew) {
  PageWords words({"left", "right"});
  words.mark({{200}, 0});
  words.report(decided(200, 0, 0.55));
  words.report(decided(201, 0, 0.55));
  (void)words.take();
  words.report(decided(1, 0, 0.9));
  const auto lines = words.take();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].text, "Another trial begins.");
  EXPECT_EQ(lines[1].text, "heed hears that left is attended, 90 % sure.");
  EXPECT_NEAR(lines[2].delay->value, 0.5, 1e-12) << "counted from this trial's beginning";
  PageReport lost = decided(2, 0, 0.5);
  lost.held = true;
  lost.standing = Standing::unknown;
  words.report(lost);
  EXPECT_EQ(texts(words), "1.0 s without usable EEG: gains go back to equal.\n");
}

TEST(PageWords, TellWhatIsLostAndWhenItIsBack) {
  PageWords words({"left", "right"});
  words.report(decided(1, 0, 0.9));
  (void)words.take();
  PageReport relaxed{.relaxation = true, .stream_time = {4}, .held = true, .standing = Standing::unknown};
  relaxed.posterior = {0.5, 0.5};
  words.report(relaxed);
  words.report(relaxed);
  EXPECT_EQ(texts(words), "2.5 s without EEG: gains go back to equal.\n");
  words.report(decided(13, 0, 0.9));
  EXPECT_EQ(texts(words), "EEG is back; heed could not decide for about 12.0 s.\n");
  PageWords of_scores({"left", "right"}, true);
  of_scores.report(decided(1, 0, 0.9));
  of_scores.report(relaxed);
  of_scores.report(decided(13, 0, 0.9));
  EXPECT_NE(texts(of_scores).find("2.5 s without scores: gains go back to equal.\nScores are back; heed could not"),
            std::string::npos);
  Vitals vitals{.stream_time = {14}};
  words.check(vitals);
  EXPECT_EQ(texts(words), "");
  vitals.counts.clock.gaps = 1;
  vitals.counts.clock.lost_samples = 64;
  vitals.source.battery_low = true;
  words.check(vitals);
  EXPECT_EQ(texts(words), "A gap in the EEG: 64 samples are lost.\nThe amplifier's battery is low.\n");
  words.check(vitals);
  EXPECT_EQ(texts(words), "");
}

}  // namespace
}  // namespace heed::live
