// SPDX-License-Identifier: MIT
#include <data/large_pages.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heed::data {
namespace {

// Whether pages are large is the machine's business; the memory is the caller's as before.
TEST(LargePages, LeaveMemoryAsItIs) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{100}, std::size_t{5} << 20U}) {
    std::vector<char> memory(bytes, 'x');
    prefer_large_pages(memory.data(), bytes);
    EXPECT_TRUE(std::ranges::all_of(memory, [](char c) { return c == 'x'; }));
    std::ranges::fill(memory, 'y');
    EXPECT_TRUE(std::ranges::all_of(memory, [](char c) { return c == 'y'; }));
  }
}

}  // namespace
}  // namespace heed::data
