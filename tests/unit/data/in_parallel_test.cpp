// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace heed::data {
namespace {

class InParallel : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Threads, InParallel, ::testing::Values(0, 1, 2, 7, 100));

TEST_P(InParallel, EveryPieceIsDoneOnceAndCounted) {
  std::vector<int> done(53, 0);
  std::vector<std::size_t> counted;
  const auto failures = in_parallel(
      done.size(), {GetParam()}, [&](std::size_t k) { ++done[k]; }, [&](std::size_t n) { counted.push_back(n); });
  EXPECT_EQ(done, std::vector<int>(53, 1));
  EXPECT_EQ(counted.size(), 53U);
  for (std::size_t n = 0; n < counted.size(); ++n) EXPECT_EQ(counted[n], n + 1);
  for (const auto& failure : failures) EXPECT_EQ(failure, nullptr);
}

TEST_P(InParallel, AFailureStopsNobodyElse) {
  std::atomic<int> done = 0;
  const auto failures = in_parallel(10, {GetParam()}, [&](std::size_t k) {
    if (k % 3 == 1) throw Error(ErrorKind::bad_data, "piece " + std::to_string(k));
    ++done;
  });
  EXPECT_EQ(done, 7);
  for (std::size_t k = 0; k < failures.size(); ++k) {
    ASSERT_EQ(failures[k] != nullptr, k % 3 == 1);
    if (!failures[k]) continue;
    try {
      std::rethrow_exception(failures[k]);
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "piece " + std::to_string(k));
    }
  }
}

TEST(InParallelThreads, NoMoreAtOnceThanAskedFor) {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  (void)in_parallel(40, {3}, [&](std::size_t) {
    const int here = ++now;
    for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
    }
    std::this_thread::yield();
    --now;
  });
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 1);
}

TEST(InParallelThreads, NothingToDo) {
  EXPECT_TRUE(in_parallel(0, {4}, [](std::size_t) { FAIL(); }).empty());
}

TEST(InParallelAlone, WhatIsNoErrorEndsTheWork) {
  int done = 0;
  const auto failures = in_parallel(10, {1}, [&](std::size_t k) {
    if (k == 3) throw std::runtime_error("interrupted");
    ++done;
  });
  EXPECT_EQ(done, 3);
  EXPECT_THROW((void)errors_of(failures), std::runtime_error);
}

// Progress is a log, and a log never changes the outcome.
TEST(InParallelThreads, TellingHowFarItCameMayFail) {
  std::atomic<int> worked = 0;
  const auto failures = in_parallel(
      10, {3}, [&](std::size_t) { ++worked; }, [](std::size_t) { throw std::bad_alloc(); });
  EXPECT_EQ(worked, 10);
  EXPECT_EQ(std::ranges::count(failures, nullptr), 10);
}

TEST(InParallelAlone, ErrorsAreValues) {
  const auto errors = errors_of(in_parallel(2, {2}, [](std::size_t k) {
    if (k == 1) throw Error(ErrorKind::bad_data, "piece 1");
  }));
  EXPECT_FALSE(errors[0]);
  EXPECT_STREQ(errors[1]->what(), "piece 1");
}

}  // namespace
}  // namespace heed::data
