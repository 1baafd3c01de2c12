// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <io/xdf/clock_line.h>

#include <cmath>

namespace heed::io {
namespace {

TEST(ClockLine, WithoutOffsetsNothingIsCorrected) {
  const auto lines = clock_lines({});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front().corrected(123.5), 123.5);
}

TEST(ClockLine, OneOffsetIsAConstantAndTwoAreALine) {
  const std::vector<ClockOffset> one{{100, -0.25}};
  EXPECT_EQ(clock_lines(one).front().corrected(7), 6.75);
  const std::vector<ClockOffset> two{{100, 0}, {200, 0.01}};
  EXPECT_NEAR(clock_lines(two).front().corrected(300), 300.02, 1e-12);
}

// Huber's line is where the bounded residuals balance: their sum and their moment are zero.
TEST(ClockLine, IsHubersLine) {
  RandomStream random(2);
  std::vector<ClockOffset> offsets;
  for (int k = 0; k < 60; ++k) {
    const double time = 91'000 + 5.0 * k;
    offsets.push_back({time, -3 + 2e-5 * (5.0 * k) + 5e-5 * random.normal() + (k % 9 == 4 ? 0.02 : 0)});
  }
  const ClockLine line = clock_lines(offsets).front();
  double sum = 0;
  double moment = 0;
  for (const ClockOffset& offset : offsets) {
    const double residual = offset.offset - (line.corrected(offset.time) - offset.time);
    const double bounded = std::clamp(residual, -1e-4, 1e-4);
    sum += bounded;
    moment += bounded * (offset.time - line.centre) / 300;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  EXPECT_NEAR(moment, 0, 1e-9);
}

TEST(ClockLine, AResetBeginsALineAndABadMeasurementDoesNot) {
  std::vector<ClockOffset> offsets;
  for (int k = 0; k < 20; ++k) offsets.push_back({1000 + 5.0 * k, -7, 10 * k});
  offsets[8].offset = -5;  // by two seconds, and so is the time of the measurement
  offsets[8].time -= 2;
  for (int k = 0; k < 20; ++k) offsets.push_back({20 + 5.0 * k, 1073, 200 + 10 * k});
  const auto lines = clock_lines(offsets);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].first_sample, 200);
  EXPECT_NEAR(lines[0].corrected(1000), 993, 1e-4);
  EXPECT_NEAR(lines[1].corrected(20), 1093, 1e-9);
}

}  // namespace
}  // namespace heed::io
