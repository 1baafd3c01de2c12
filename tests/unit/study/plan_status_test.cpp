// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/plan/plan_status.h>

#include <filesystem>

#include "support/planned_study.h"

namespace heed::study {
namespace {

using Times = std::vector<std::chrono::duration<double>>;
using Now = std::chrono::duration<double>;

Times seconds(std::initializer_list<double> values) {
  Times times;
  for (const double value : values) times.emplace_back(value);
  return times;
}

TEST(RateOf, IsParticipantsPerSecond) { EXPECT_DOUBLE_EQ(rate_of(seconds({10, 14, 12}), Now(20)).value_or(0), 0.5); }

TEST(RateOf, LeavesALongPauseOut) {
  EXPECT_DOUBLE_EQ(rate_of(seconds({10, 11, 12, 100000, 100001}), Now(100002)).value_or(0), 4.0 / 3);
}

// A clock that jumped, too few participants, or file times that say nothing.
TEST(RateOf, IsUnknownWhereTimesMakeNoSense) {
  EXPECT_FALSE(rate_of({}, Now(1)));
  EXPECT_FALSE(rate_of(seconds({5}), Now(10)));
  EXPECT_FALSE(rate_of(seconds({5, 5, 5}), Now(10)));
  EXPECT_FALSE(rate_of(seconds({5, 6, 3600}), Now(10)));
}

TEST(PlanStatus, CountsParticipantsAndResults) {
  const test::PlannedStudy planned;
  const PlanStatus before = plan_status(planned.folder);
  EXPECT_EQ(before.results, 24U);
  EXPECT_EQ(before.done, 0U);
  EXPECT_EQ(before.finished, 0U);
  EXPECT_FALSE(before.left);
  (void)planned.run({1, 2});
  std::filesystem::resize_file(planned.folder.results() / "sub-01.tsv", 10);
  const PlanStatus status = plan_status(planned.folder);
  EXPECT_EQ(status.done, 6U);
  EXPECT_EQ(status.finished, 1U);
  EXPECT_EQ(status.damaged, 1U);
  ASSERT_EQ(status.participants.size(), 4U);
  EXPECT_EQ(status.participants[0].id, "01");
  EXPECT_EQ(status.participants[0].done, 0U);
  EXPECT_TRUE(status.participants[0].damaged);
  EXPECT_EQ(status.participants[1].done, 6U);
  EXPECT_EQ(status.participants[2].done, 0U);
}

}  // namespace
}  // namespace heed::study
