// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <live/sinks/report_queue.h>
#include <support/allocation_counter.h>

#include <array>
#include <chrono>
#include <thread>

namespace heed::live {
namespace {

constexpr std::array<double, 2> posterior{0.75, 0.25};
constexpr std::array<double, 2> gains{0, -12};

Decision decision(double end, Speaker speaker = 0) {
  return {.end = {end}, .posterior = posterior, .decision = speaker, .gains = gains};
}

TEST(ReportQueue, DropsTheOldestAndCounts) {
  ReportQueue queue(3, 2, Seconds{0});
  for (int k = 1; k <= 5; ++k) queue.put(decision(k));
  EXPECT_EQ(queue.dropped(), 2);
  queue.close();
  Report report;
  for (int k = 3; k <= 5; ++k) {
    ASSERT_TRUE(queue.take(report));
    EXPECT_EQ(report.time.value, k);
    EXPECT_EQ(report.posterior, (std::vector<double>{0.75, 0.25}));
    EXPECT_EQ(report.gains, (std::vector<double>{0, -12}));
    EXPECT_EQ(report.standing, Standing::tracking);
  }
  EXPECT_FALSE(queue.take(report));
}

TEST(ReportQueue, ARelaxationKeepsTheLastDecision) {
  ReportQueue queue(4, 2, Seconds{0});
  const Relaxation relaxation{.time = {9}, .posterior = posterior, .gains = gains};
  queue.put(relaxation);
  queue.put(decision(10, 1));
  queue.put(relaxation);
  Report report;
  ASSERT_TRUE(queue.take(report));
  EXPECT_EQ(report.decision, unknown_speaker);
  EXPECT_EQ(report.standing, Standing::unknown);
  ASSERT_TRUE(queue.take(report));
  ASSERT_TRUE(queue.take(report));
  EXPECT_EQ(report.decision, 1);
}

TEST(ReportQueue, PuttingDoesNotAllocate) {
  ReportQueue queue(3, 2, Seconds{0});
  const test::AllocationCount allocations;
  for (int k = 0; k < 20; ++k) queue.put(decision(k));
  EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(ReportQueue, BetweenThreadsNothingIsLostToAReaderThatKeepsReading) {
  constexpr int count = 5000;
  for (const double patience : {0.0, 5.0}) {
    ReportQueue queue(8, 2, Seconds{patience});
    Index taken = 0;
    double last = 0;
    std::thread speaker([&] {
      Report report;
      while (queue.take(report)) {
        EXPECT_GT(report.time.value, last);
        last = report.time.value;
        ++taken;
      }
    });
    for (int k = 1; k <= count; ++k) queue.put(decision(k));
    queue.close();
    speaker.join();
    EXPECT_EQ(taken + queue.dropped(), count);
    EXPECT_EQ(last, count);
    EXPECT_TRUE(patience == 0 || queue.dropped() == 0);
  }
}

TEST(ReportQueue, AReaderThatDoesNotReadIsWaitedForOnce) {
  ReportQueue queue(2, 2, Seconds{0.05});
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < 2000; ++k) queue.put(decision(k));
  const auto passed = std::chrono::steady_clock::now() - start;
  EXPECT_GE(passed, std::chrono::milliseconds(50));
  EXPECT_LT(passed, std::chrono::seconds(60));  // 100 s if each waited
  EXPECT_EQ(queue.dropped(), 1998);
}

}  // namespace
}  // namespace heed::live
