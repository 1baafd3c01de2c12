// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <rapidcheck/gtest.h>
#include <report/columns.h>

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

}  // namespace
}  // namespace heed::report
