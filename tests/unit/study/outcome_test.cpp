// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/results/outcome.h>

#include "support/scored_cohort.h"

namespace heed::study {
namespace {

using test::with;

TEST(OutcomeGrid, IsCountedParticipantByParticipant) {
  const OutcomeGrid grid({make_setting({}), make_setting(with("tracker", "smooth"))},
                         {{"01", 2}, {"02", 2}, {"03", 2}});
  ASSERT_EQ(grid.size(), 6U);
  const std::vector<OutcomePlace> all = grid.all();
  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0], (OutcomePlace{0, 0}));
  EXPECT_EQ(all[1], (OutcomePlace{0, 1}));
  EXPECT_EQ(all[5], (OutcomePlace{2, 1}));
  EXPECT_EQ(grid.size_of_first(2), 4U);
  EXPECT_EQ(grid.participants_of(1), (std::vector<std::size_t>{0, 1, 2}));
}

// Settings of three speakers belong to the part that hears three, all others to the baseline, also those nobody can
// give: their outcomes say why.
TEST(OutcomeGrid, TellsThePartsOfACohortApart) {
  const OutcomeGrid grid({make_setting({}), make_setting(with("speakers", 3.0)), make_setting(with("speakers", 4.0))},
                         {{"01", 2}, {"02", 2}, {"c01", 3}});
  ASSERT_EQ(grid.size(), 5U);
  EXPECT_EQ(grid.all()[1], (OutcomePlace{0, 2}));
  EXPECT_EQ(grid.all()[4], (OutcomePlace{2, 1}));
  EXPECT_EQ(grid.participants_of(0), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(grid.participants_of(1), (std::vector<std::size_t>{2}));
  EXPECT_EQ(grid.participants_of(2), (std::vector<std::size_t>{0, 1}));
}

TEST(OutcomeGrid, APartWithoutASettingHasNoOutcomes) {
  const OutcomeGrid grid({make_setting({})}, {{"01", 2}, {"c01", 3}, {"c02", 3}});
  EXPECT_EQ(grid.size(), 1U);
  EXPECT_TRUE(grid.settings_of(2).empty());
}

}  // namespace
}  // namespace heed::study
