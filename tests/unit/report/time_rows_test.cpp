// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <report/time_rows.h>

#include <algorithm>

namespace heed::report {
namespace {

std::vector<std::size_t> trials_a_row(const TimeRows& rows) {
  std::vector<std::size_t> counts;
  for (const auto& row : rows.rows) counts.push_back(row.size());
  return counts;
}

TEST(TimeRows, OneTrialFillsOneRow) {
  const TimeRows rows = lay_out_rows(std::vector{Seconds{1167}}, {466.8, 5, 4});
  ASSERT_EQ(trials_a_row(rows), (std::vector<std::size_t>{1}));
  EXPECT_DOUBLE_EQ(rows.points_per_second, 0.4);
  EXPECT_DOUBLE_EQ(rows.rows[0][0].width, 466.8);
  EXPECT_EQ(rows.longest, Seconds{1167});
}

TEST(TimeRows, FewTrialsGetARowEachManyShareEvenly) {
  EXPECT_EQ(trials_a_row(lay_out_rows(std::vector(3, Seconds{600}), {400, 5, 4})), (std::vector<std::size_t>{1, 1, 1}));
  EXPECT_EQ(trials_a_row(lay_out_rows(std::vector(12, Seconds{300}), {400, 5, 4})),
            (std::vector<std::size_t>{3, 3, 3, 3}));
  EXPECT_EQ(trials_a_row(lay_out_rows(std::vector(7, Seconds{600}), {400, 5, 4})),
            (std::vector<std::size_t>{2, 2, 2, 1}));
}

TEST(TimeRows, EmptyTrialsTakeNoRoom) {
  const TimeRows rows = lay_out_rows(std::vector{Seconds{0}, Seconds{10}, Seconds{0}}, {100, 5, 4});
  ASSERT_EQ(trials_a_row(rows), (std::vector<std::size_t>{1}));
  EXPECT_EQ(rows.rows[0][0].trial, 1U);
}

RC_GTEST_PROP(TimeRows, AllTrialsInOrderToOneScaleInsideTheRoom, ()) {
  const auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 5000)));
  std::vector<Seconds> durations;
  for (const int length : lengths) durations.push_back(Seconds{static_cast<double>(length)});
  const RowRoom room{470, 5, 4};
  const TimeRows rows = lay_out_rows(durations, room);
  RC_ASSERT(rows.rows.size() <= room.most_rows);
  std::size_t next = 0;
  for (const auto& row : rows.rows) {
    double free_from = 0;
    for (const Segment& segment : row) {
      RC_ASSERT(segment.trial == next++);
      RC_ASSERT(segment.left >= free_from - 1e-9);
      RC_ASSERT(std::abs(segment.width - (durations[segment.trial].value * rows.points_per_second)) < 1e-9);
      free_from = segment.left + segment.width;
    }
    RC_ASSERT(free_from <= room.width + 1e-6);
  }
  RC_ASSERT(next == durations.size());
}

}  // namespace
}  // namespace heed::report
