// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <live/clock/referee.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace heed::live {
namespace {

constexpr Hertz rate{100};
constexpr Index rows = 10;

// Blocks of 0.1 s that arrive when their last sample was taken.
struct Stream {
  Referee referee{rate, {}};
  ClockCounts counts{};
  double time = 50;  // of the next block

  Referee::Verdict send(double off = 0) {
    const auto verdict = referee.judge(Seconds{time + off}, rows, Seconds{time + 0.1}, counts);
    time += 0.1;
    return verdict;
  }
  void send_many(int blocks) {
    for (int k = 0; k < blocks; ++k) (void)send();
  }
};

bool is_plain(const Referee::Verdict& verdict) {
  return verdict.missing == 0 && verdict.skipped == 0 && !verdict.restart;
}

TEST(Referee, LetsGoodStampsPassAndStaysExact) {
  Stream stream;
  for (int k = 0; k < 1000; ++k) EXPECT_TRUE(is_plain(stream.send()));
  EXPECT_EQ(stream.counts, ClockCounts{});
  EXPECT_EQ(stream.referee.lateness().value, 0);
  EXPECT_EQ(stream.referee.drift_ppm(), 0);
  EXPECT_EQ(stream.referee.count(), 10000);
}

TEST(Referee, BlocksWithoutStampsFollowEachOther) {
  Stream stream;
  stream.send_many(20);
  EXPECT_TRUE(is_plain(stream.referee.judge(std::nullopt, rows, Seconds{99}, stream.counts)));
  EXPECT_EQ(stream.referee.count(), 210);
}

TEST(Referee, FillsAGapWithAsManySamplesAsAreMissing) {
  Stream stream;
  stream.send_many(20);
  stream.time += 3.2;  // time passes, and so does the clock
  EXPECT_EQ(stream.send().missing, 320);
  EXPECT_EQ(stream.counts.gaps, 1);
  EXPECT_TRUE(is_plain(stream.send()));
  EXPECT_EQ(stream.referee.count(), 540);
}

TEST(Referee, TellsAJumpOfTheClockFromAPause) {
  for (const double jump : {20.0, 200000.0}) {
    Stream stream;
    stream.send_many(50);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(is_plain(stream.send(jump))) << jump;  // nobody waited for it
    EXPECT_EQ(stream.counts.jumps, 1);
    EXPECT_EQ(stream.counts.gaps, 0);
    EXPECT_NEAR(stream.referee.jumped().value, jump, 1e-6);
    EXPECT_NEAR(stream.referee.lateness().value, 0, 1e-6);
  }
}

// Blocks of 10 ms over a network that is late by up to 30 ms: nothing is lost, although the clock jumps.
TEST(Referee, AnUnsteadyNetworkIsNoLossWhenTheClockJumps) {
  RandomStream random(6);
  for (int trial = 0; trial < 50; ++trial) {
    Referee referee(rate, {});
    ClockCounts counts;
    for (int k = 0; k < 400; ++k) {
      const double taken = 0.01 * k;
      const double jump = k < 200 ? 0 : 20;
      const auto verdict =
          referee.judge(Seconds{taken + jump}, 1, Seconds{taken + 0.01 + (0.03 * random.uniform())}, counts);
      EXPECT_TRUE(is_plain(verdict)) << trial << ", " << k;
    }
    EXPECT_EQ(counts.jumps, 1);
    EXPECT_EQ(referee.count(), 400);
  }
}

TEST(Referee, ACopyIsLeftOutAndAClockSetBackIsFollowed) {
  Stream stream;
  stream.send_many(50);
  EXPECT_EQ(stream.send(-0.1).skipped, rows);  // came before
  EXPECT_EQ(stream.counts.duplicates, 1);
  stream.time -= 0.1;
  EXPECT_TRUE(is_plain(stream.send()));
  for (const double jump : {-20.0, -200000.0}) {
    EXPECT_EQ(stream.send(jump).skipped, rows);  // once is not believed
    const auto second = stream.send(jump);
    EXPECT_EQ(second.missing, rows);
    EXPECT_EQ(second.skipped, 0);
    EXPECT_TRUE(is_plain(stream.send(jump)));
    stream.time += jump;
  }
  EXPECT_EQ(stream.counts.backwards, 2);
  EXPECT_EQ(stream.counts.jumps, 2);
}

// The block was late by jitter, so its copy is no farther off than by jitter: only that it comes too soon gives it
// away.
TEST(Referee, ACopyOfALateBlockIsLeftOut) {
  Referee referee(rate, {});
  ClockCounts counts;
  constexpr Index five = 5;
  for (int k = 0; k < 100; ++k) {
    const double taken = 0.05 * k;
    const Seconds stamp{taken + (k == 60 ? 0.02 : 0)};
    EXPECT_TRUE(is_plain(referee.judge(stamp, five, Seconds{taken + 0.05}, counts))) << k;
    if (k != 60) continue;
    EXPECT_EQ(referee.judge(stamp, five, Seconds{taken + 0.05}, counts).skipped, five);
  }
  EXPECT_EQ(counts.duplicates, 1);
  EXPECT_EQ(referee.count(), 500);
}

// A clock that ticks every 40 ms stamps four blocks alike; they arrive one by one, or when it ticks.
TEST(Referee, ShortBlocksOfACoarseClockAreNoCopies) {
  for (const bool at_once : {false, true}) {
    Referee referee(rate, {});
    ClockCounts counts;
    for (int k = 0; k < 1000; ++k) {
      const int tick = k / 4;
      const Seconds arrival{at_once ? 0.04 * (tick + 1) : 0.01 * (k + 1)};
      EXPECT_TRUE(is_plain(referee.judge(Seconds{0.04 * tick}, 1, arrival, counts))) << k << at_once;
    }
    EXPECT_EQ(counts.duplicates, 0);
  }
}

// The clock has just jumped, a block is left out for its stamp, and that of the next one jitters: it does not say how
// much is missing, since that is known.
TEST(Referee, WhatWasLeftOutIsMissingWhateverTheNextStampSays) {
  for (const double jitter : {-0.024, 0.024}) {
    Stream stream;
    stream.send_many(50);
    EXPECT_TRUE(is_plain(stream.send(20)));
    EXPECT_TRUE(is_plain(stream.send(20)));
    EXPECT_EQ(stream.send(18).skipped, rows);
    EXPECT_EQ(stream.send(20 + jitter).missing, rows) << jitter;
    EXPECT_EQ(stream.referee.count(), 540);
  }
}

TEST(Referee, AnOverlapIsLeftOutOnce) {
  Stream stream;
  stream.send_many(20);
  EXPECT_EQ(stream.send(-0.07).skipped, 7);
}

// The count keeps up by leaving blocks out, but what it takes of the others is not what was recorded then: nowhere is
// there enough of it for a window.
TEST(Referee, SamplesOfAStreamThatIsTooFastAreMissingUntilItIsRightAgain) {
  for (const double faster : {1.1, 1.3, 2.0, 2.7}) {
    Stream stream;
    stream.send_many(50);
    Index believed = 0;
    Index most_believed = 0;
    for (; stream.time < 65; stream.time += 0.1 / faster) {
      const auto verdict = stream.referee.judge(Seconds{stream.time}, rows, Seconds{stream.time + 0.1}, stream.counts);
      believed = verdict.missing == 0 ? believed + rows - verdict.skipped : 0;
      if (stream.time > 56.5) most_believed = std::max(most_believed, believed);
    }
    EXPECT_LE(most_believed, faster > 1.2 ? 0 : 2 * rows) << faster;
    const double taken = (static_cast<double>(stream.referee.count()) / 100) + stream.referee.lateness().value;
    EXPECT_NEAR(taken, stream.time - 50, 0.1) << faster;
    stream.send_many(9);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(is_plain(stream.send())) << faster << ", " << k;
  }
}

TEST(Referee, JitterLeavesTheMeanWhereItIs) {
  Stream stream;
  RandomStream random(5);
  for (int k = 0; k < 600; ++k) EXPECT_TRUE(is_plain(stream.send(0.03 * ((2 * random.uniform()) - 1))));
  EXPECT_GT(stream.counts.jittered, 100);
  // The first stamp was late, too.
  EXPECT_NEAR((stream.referee.origin() + stream.referee.lateness()).value, 50, 0.01);
  EXPECT_EQ(stream.referee.count(), 6000);
}

TEST(Referee, FollowsADriftOf500PpmAndAWrongRate) {
  for (const double ppm : {500.0, -500.0, 10000.0}) {
    Stream stream;
    double off = 0;
    for (int k = 0; k < 600; ++k) {
      (void)stream.send(off);
      off += 0.1 * ppm * 1e-6;
    }
    EXPECT_NEAR(stream.referee.lateness().value, off, 0.002) << ppm;
    EXPECT_NEAR(stream.referee.drift_ppm(), ppm, std::abs(ppm) * 0.1);
  }
}

TEST(Referee, APauseTooLongToFillInBeginsAnew) {
  Stream stream;
  stream.send_many(50);
  stream.time += 700;
  EXPECT_TRUE(stream.send().restart);
}

TEST(Referee, AFileThatIsSentAtOnceHasGapsToo) {
  Referee referee(rate, {});
  ClockCounts counts;
  for (int k = 0; k < 50; ++k) (void)referee.judge(Seconds{0.1 * k}, rows, Seconds{0.001 * k}, counts);
  EXPECT_EQ(referee.judge(Seconds{15}, rows, Seconds{0.06}, counts).missing, 1000);
}

TEST(Referee, ShiftedSamplesChangeTheCountAndNotTheClock) {
  Stream stream;
  stream.send_many(20);
  stream.referee.shift(3);
  EXPECT_EQ(stream.referee.count(), 200);
  EXPECT_DOUBLE_EQ(stream.referee.lateness().value, -0.03);
  EXPECT_TRUE(is_plain(stream.send()));
}

}  // namespace
}  // namespace heed::live
