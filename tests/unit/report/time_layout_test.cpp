// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <rapidcheck/gtest.h>
#include <report/time_layout.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heed::report {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

TEST(Columns, AWindowEachWhereThereAreFew) {
  const Columns few(5, 100);
  EXPECT_EQ(few.count(), 5);
  for (Index c = 0; c <= 5; ++c) EXPECT_EQ(few.first(c), c);
  const Columns none(0, 100);
  EXPECT_EQ(none.count(), 0);
  EXPECT_EQ(none.first(0), 0);
}

RC_GTEST_PROP(Columns, ShareAllWindowsNearlyEqually, ()) {
  const Index windows = *rc::gen::inRange(1, 100000);
  const Index most = *rc::gen::inRange(1, 3000);
  const Columns columns(windows, most);
  RC_ASSERT(columns.count() == std::min(windows, most));
  RC_ASSERT(columns.first(0) == 0);
  RC_ASSERT(columns.first(columns.count()) == windows);
  for (Index c = 0; c < columns.count(); ++c) {
    const Index width = columns.first(c + 1) - columns.first(c);
    RC_ASSERT(width == windows / columns.count() || width == (windows / columns.count()) + 1);
  }
}

TEST(ColumnMeans, KeepTheArea) {
  RandomStream random(3);
  Matrix values(1003, 3);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.uniform();
  const Columns columns(values.rows(), 97);
  const Matrix means = column_means(data::view(values), columns);
  ASSERT_EQ(means.rows(), 97);
  for (Index j = 0; j < 3; ++j) {
    double area = 0;
    for (Index c = 0; c < means.rows(); ++c) {
      area += means(c, j) * static_cast<double>(columns.first(c + 1) - columns.first(c));
    }
    EXPECT_NEAR(area, values.col(j).sum(), 1e-10);
  }
}

RC_GTEST_PROP(ExtremeLines, LoseNoExtremeAndKeepTheOrder, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 5000);
  const auto most = *rc::gen::inRange<Index>(1, 300);
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  const auto lines = extreme_lines(values, Columns(std::ssize(values), most));
  RC_ASSERT(lines.size() == 1U);
  RC_ASSERT(std::ssize(lines[0]) <= 2 * std::min(std::ssize(values), most));
  const auto lowest = std::ranges::min_element(lines[0], {}, &LinePoint::value)->value;
  const auto highest = std::ranges::max_element(lines[0], {}, &LinePoint::value)->value;
  RC_ASSERT(lowest == *std::ranges::min_element(values));
  RC_ASSERT(highest == *std::ranges::max_element(values));
  RC_ASSERT(std::ranges::is_sorted(lines[0], std::less_equal{}, &LinePoint::window) || lines[0].size() == 1);
  for (const LinePoint& point : lines[0]) RC_ASSERT(values[static_cast<std::size_t>(point.window)] == point.value);
}

TEST(ExtremeLines, BreakWhereNothingWasMeasured) {
  const std::vector<double> values{1, 2, missing, missing, 3, missing};
  const auto lines = extreme_lines(values, Columns(6, 100));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].size(), 2U);
  ASSERT_EQ(lines[1].size(), 1U);
  EXPECT_EQ(lines[1][0].window, 4);
  EXPECT_EQ(extreme_lines(values, Columns(6, 3)).size(), 2U) << "columns 12, --, 3-";
  EXPECT_EQ(extreme_lines(values, Columns(6, 2)).size(), 1U) << "columns 12-, -3-: each has something";
  EXPECT_TRUE(extreme_lines(std::vector(4, missing), Columns(4, 2)).empty());
}

TEST(Smoothed, IsTheMeanOfWhatIsThere) {
  const std::vector<double> values{1, 2, 6, missing, 4};
  const auto three = smoothed(values, 3);
  EXPECT_DOUBLE_EQ(three[0], 1.5) << "nothing lies before it";
  EXPECT_DOUBLE_EQ(three[1], 3);
  EXPECT_DOUBLE_EQ(three[2], 4);
  EXPECT_TRUE(std::isnan(three[3]));
  EXPECT_DOUBLE_EQ(three[4], 4);
  EXPECT_EQ(smoothed(std::vector<double>{1, 5}, 1), (std::vector<double>{1, 5}));
  EXPECT_DOUBLE_EQ(smoothed(values, 1000)[2], 13.0 / 4) << "wider than the trial";
  EXPECT_DOUBLE_EQ(smoothed(values, 2)[1], 4) << "an even width looks ahead";
}

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
