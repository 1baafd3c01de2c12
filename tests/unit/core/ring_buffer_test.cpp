// SPDX-License-Identifier: MIT
#include <heed/core/fixed_lag_filter.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

namespace {

using heed::core::RingBuffer;

TEST(RingBufferTest, StartsEmpty) {
  const RingBuffer<int, 3> buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.size(), 0U);
  EXPECT_EQ(buffer.capacity(), 3U);
}

TEST(RingBufferTest, DropsTheOldestAndSaysSo) {
  RingBuffer<int, 2> buffer;
  EXPECT_FALSE(buffer.push(1));
  EXPECT_FALSE(buffer.push(2));
  EXPECT_TRUE(buffer.push(3));
  EXPECT_EQ(buffer[0], 2);
  EXPECT_EQ(buffer[1], 3);
  EXPECT_EQ(buffer.from_newest(0), 3);
  EXPECT_EQ(buffer.from_newest(1), 2);
}

TEST(RingBufferTest, WorksBeforeTheProgramRuns) {
  static_assert([] {
    RingBuffer<int, 2> buffer;
    buffer.push(1);
    buffer.push(2);
    return buffer.push(3) && buffer.from_newest(0) == 3 && buffer[0] == 2;
  }());
}

// A deque that forgets its front is the whole specification. A negative number stands for clear().
template <std::size_t Capacity>
void behaves_as_a_bounded_deque(const std::vector<int>& commands) {
  RingBuffer<int, Capacity> buffer;
  std::deque<int> model;
  for (const int value : commands) {
    if (value < 0) {
      buffer.clear();
      model.clear();
    } else {
      model.push_back(value);
      const bool full = model.size() > Capacity;
      if (full) model.pop_front();
      RC_ASSERT(buffer.push(value) == full);
    }
    RC_ASSERT(buffer.size() == model.size());
    RC_ASSERT(buffer.empty() == model.empty());
    for (std::size_t k = 0; k < model.size(); ++k) {
      RC_ASSERT(buffer[k] == model[k]);
      RC_ASSERT(buffer.from_newest(k) == model[model.size() - 1 - k]);
    }
  }
}

RC_GTEST_PROP(RingBufferLaw, IsABoundedDeque, ()) {
  const auto commands = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1, 12));
  behaves_as_a_bounded_deque<1>(commands);
  behaves_as_a_bounded_deque<2>(commands);
  behaves_as_a_bounded_deque<5>(commands);
}

}  // namespace
