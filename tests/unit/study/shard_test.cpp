// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <study/plan/plan_run.h>

#include "support/expect_error.h"

namespace heed::study {
namespace {

TEST(Shard, IsReadAsIOfN) {
  EXPECT_EQ(parse_shard("1/1"), (ArrayTask{1, 1}));
  EXPECT_EQ(parse_shard("3/12"), (ArrayTask{3, 12}));
}

TEST(Shard, AnythingElseIsRefused) {
  for (const char* text : {"0/0", "0/2", "3/2", "1", "a/b", "1/", "/2", "1/2/3", "-1/2", "1 /2", "",
                           "1/99999999999999999999", "1/2000000"}) {
    test::expect_error(ErrorKind::invalid_argument, {"--shard", "1/4"}, [&] { (void)parse_shard(text); });
  }
}

// Every cell is in one share, the shares follow each other and differ by one cell at most.
RC_GTEST_PROP(ShardLaw, SharesCoverAllCellsOnce, ()) {
  const auto cells = *rc::gen::inRange<std::size_t>(0, 200000);
  const auto count = *rc::gen::inRange<std::size_t>(1, 300);
  std::size_t next = 0;
  for (std::size_t number = 1; number <= count; ++number) {
    const CellBlock block = block_of({number, count}, cells);
    RC_ASSERT(block.first == next);
    const std::size_t size = block.last - block.first;
    RC_ASSERT(size == cells / count || size == cells / count + 1);
    next = block.last;
  }
  RC_ASSERT(next == cells);
}

}  // namespace
}  // namespace heed::study
