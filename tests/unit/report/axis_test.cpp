// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <report/axis.h>

#include <algorithm>
#include <cmath>

namespace heed::report {
namespace {

std::string labels(const std::vector<Tick>& ticks) {
  std::string text;
  for (const Tick& tick : ticks) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

TEST(LinearTicks, AreRoundNumbers) {
  EXPECT_EQ(labels(linear_ticks({0, 1}, 5)), "0 0.2 0.4 0.6 0.8 1");
  EXPECT_EQ(labels(linear_ticks({57.3, 101.5}, 6)), "60 70 80 90 100");
  EXPECT_EQ(labels(linear_ticks({-0.13, 0.31}, 4)), "0 0.2");
  EXPECT_EQ(labels(linear_ticks({-25, 25}, 5)), "−20 −10 0 10 20");
}

RC_GTEST_PROP(LinearTicks, LieInsideAndAreAboutAsManyAsWanted, ()) {
  const double low = *rc::gen::inRange(-1000, 1000) / 7.0;
  const double span = *rc::gen::inRange(1, 100000) / 13.0;
  const auto ticks = linear_ticks({low, low + span}, 5);
  RC_ASSERT(ticks.size() >= 1U);
  RC_ASSERT(ticks.size() <= 6U);
  for (const Tick& tick : ticks)
    RC_ASSERT(tick.value >= low - (1e-6 * span) && tick.value <= low + (span * (1 + 1e-6)));
}

TEST(LogTicks, AreOneTwoFive) {
  EXPECT_EQ(labels(log_ticks({0.9, 70})), "1 2 5 10 20 50");
  EXPECT_EQ(labels(log_ticks({1, 100})), "1 2 5 10 20 50 100") << "the ends belong to it";
  EXPECT_EQ(labels(log_ticks({0.1, 1000})), "0.1 1 10 100 1000") << "too wide for more";
}

TEST(TimeAxis, TakesTheUnitOfTheSpan) {
  const TimeAxis seconds = time_axis(Seconds{120}, Seconds{8});
  EXPECT_EQ(seconds.unit, "s");
  EXPECT_EQ(labels(time_ticks(seconds, {0, 60})), "0 10 20 30 40 50 60");
  const TimeAxis minutes = time_axis(Seconds{1167}, Seconds{90});
  EXPECT_EQ(minutes.unit, "min");
  EXPECT_EQ(labels(time_ticks(minutes, {0, 600})), "0 2 4 6 8 10");
  const TimeAxis hours = time_axis(Seconds{36000}, Seconds{2600});
  EXPECT_EQ(hours.unit, "h");
  EXPECT_EQ(labels(time_ticks(hours, {0, 36000})), "0 1 2 3 4 5 6 7 8 9 10");
}

TEST(TimeAxis, TicksFollowTheRecordingsClock) {
  const TimeAxis axis = time_axis(Seconds{600}, Seconds{100});
  EXPECT_EQ(labels(time_ticks(axis, {650, 1250})), "12 14 16 18 20");
}

TEST(TimeAxis, WeeksStillHaveFewTicks) {
  const TimeAxis axis = time_axis(Seconds{30 * 86400.0}, Seconds{2.2 * 86400});
  EXPECT_EQ(axis.step, Seconds{3 * 86400.0});
  EXPECT_EQ(axis.unit, "h");
}

RC_GTEST_PROP(TimeAxis, TicksKeepTheirDistance, ()) {
  const double span = *rc::gen::inRange(1, 10000000);
  const double closest = span / *rc::gen::inRange(2, 15);
  const TimeAxis axis = time_axis(Seconds{span}, Seconds{closest});
  RC_ASSERT(axis.step.value >= closest * (1 - 1e-12));
  RC_ASSERT(axis.step.value <= std::max(4 * closest, 0.1));  // and not much more
}

TEST(DurationLabel, TakesTheUnitPeopleWouldTake) {
  EXPECT_EQ(duration_label(Seconds{0}), "0 s");
  EXPECT_EQ(duration_label(Seconds{2.26}), "2.3 s");
  EXPECT_EQ(duration_label(Seconds{-19}), "−19 s");
  EXPECT_EQ(duration_label(Seconds{91}), "91 s");
  EXPECT_EQ(duration_label(Seconds{119}), "119 s");
  EXPECT_EQ(duration_label(Seconds{120}), "2 min");
  EXPECT_EQ(duration_label(Seconds{-150}), "−2.5 min");
  EXPECT_EQ(duration_label(Seconds{330}), "5.5 min");
  EXPECT_EQ(duration_label(Seconds{14400}), "4 h");
}

}  // namespace
}  // namespace heed::report
