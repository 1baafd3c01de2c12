// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sources/block_queue.h>
#include <support/allocation_counter.h>

#include <stdexcept>
#include <thread>

namespace heed::live {
namespace {

Block numbered(Index number) {
  Block block{.kind = BlockKind::eeg, .rows = number};
  block.samples.assign(100, static_cast<float>(number));
  return block;
}

Index put_one(BlockQueue& queue, Index number) {
  Block block = numbered(number);
  EXPECT_TRUE(queue.put(block));
  return number;
}

TEST(BlockQueue, DropsTheOldestAndCounts) {
  BlockQueue queue(3, WhenFull::drop_oldest);
  for (Index k = 0; k < 10; ++k) put_one(queue, k);
  EXPECT_EQ(queue.dropped(), 7);
  Block block;
  for (Index k = 7; k < 10; ++k) {
    ASSERT_EQ(queue.take(block, Seconds{0}), Arrival::block);
    EXPECT_EQ(block.rows, k);
    EXPECT_EQ(block.samples.back(), static_cast<float>(k));
  }
  EXPECT_EQ(queue.take(block, Seconds{0}), Arrival::nothing);
}

TEST(BlockQueue, WaitingLosesNothing) {
  BlockQueue queue(2, WhenFull::wait);
  constexpr Index count = 2000;
  std::thread reader([&] {
    for (Index k = 0; k < count; ++k) put_one(queue, k);
    queue.end();
  });
  Block block;
  for (Index k = 0; k < count; ++k) {
    ASSERT_EQ(queue.take(block, Seconds{5}), Arrival::block);
    ASSERT_EQ(block.rows, k);
  }
  EXPECT_EQ(queue.take(block, Seconds{5}), Arrival::ended);
  EXPECT_EQ(queue.take(block, Seconds{0}), Arrival::ended);
  EXPECT_EQ(queue.dropped(), 0);
  reader.join();
}

TEST(BlockQueue, ClosingFreesWhoWaits) {
  BlockQueue queue(1, WhenFull::wait);
  put_one(queue, 0);
  std::thread reader([&] {
    Block block = numbered(1);
    EXPECT_FALSE(queue.put(block));
  });
  queue.close();
  reader.join();
}

TEST(BlockQueue, AFailureComesAfterTheLastBlockAndOnce) {
  BlockQueue queue(4, WhenFull::wait);
  put_one(queue, 1);
  queue.end(Failure{ErrorKind::io, "lost"});
  Block block;
  EXPECT_EQ(queue.take(block, Seconds{0}), Arrival::block);
  EXPECT_THROW((void)queue.take(block, Seconds{0}), Error);
  EXPECT_EQ(queue.take(block, Seconds{0}), Arrival::ended);
}

TEST(BlockQueue, StorageGoesRound) {
  BlockQueue queue(3, WhenFull::drop_oldest);
  Block in = numbered(0);
  Block out = numbered(0);
  const auto pass = [&] {
    for (int k = 0; k < 5; ++k) {
      in.samples.assign(100, 1.0F);
      (void)queue.put(in);
    }
    while (queue.take(out, Seconds{0}) == Arrival::block) {
    }
  };
  for (int k = 0; k < 5; ++k) pass();
  const test::AllocationCount allocations;
  for (int k = 0; k < 50; ++k) pass();
  EXPECT_EQ(allocations.so_far(), 0U);
}

}  // namespace
}  // namespace heed::live
