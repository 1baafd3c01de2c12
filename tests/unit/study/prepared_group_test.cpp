// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/tracking/prepared_group.h>

#include "support/few_listeners.h"
#include "support/scored_cohort.h"

namespace heed::study {
namespace {

using test::with;

const test::ScoredCohortCase brief{.trial = {300}, .trials = 1, .interval = {{100}, {100}}};

TEST(GroupsOf, SettingsByWhatTheyShare) {
  const test::ScoredCohort cohort(brief);
  const std::vector settings{make_setting({}), make_setting(with("window", 5.0)),
                             make_setting(with("calibrated", "yes")), make_setting(with("tracker", "smooth"))};
  const ScoreLibrary library(cohort, settings, {});
  const std::vector<std::vector<std::size_t>> expected{{0, 3}, {2}};
  EXPECT_EQ(groups_of(settings, library), expected) << "windows of 5 s cannot be had";
}

TEST(PreparedGroup, FitsModelsForThoseAskedForOnly) {
  const test::ScoredCohort cohort(brief);
  const std::vector settings{make_setting({}), make_setting(with("tracker", "smooth"))};
  const ScoreLibrary library(cohort, settings, {});
  const std::vector<std::string> whom{"03"};
  const PreparedGroup prepared(settings, library, {}, whom);
  ASSERT_NE(prepared.experiment(), nullptr);
  EXPECT_EQ(prepared.experiment()->ids(), whom);
  EXPECT_EQ(prepared[1].tracker.method, track::Method::smooth);
  EXPECT_EQ(prepared[1].experiment, prepared.experiment());
  EXPECT_TRUE(prepared[1].obstacle.empty());
}

// The p that is as fast as the state-space model is a mean over the cohort.
TEST(PreparedGroup, AsksTheWholeCohortWhereASettingNeedsIt) {
  const test::ScoredCohort cohort(brief);
  const std::vector settings{make_setting(with("switch_probability", "as-fast-as-state-space"))};
  const ScoreLibrary library(cohort, settings, {});
  const std::vector<std::string> one{"02"};
  const PreparedGroup alone(settings, library, {}, one);
  const PreparedGroup all(settings, library, {}, {});
  EXPECT_EQ(alone[0].tracker.chain.switch_probability, all[0].tracker.chain.switch_probability);
  EXPECT_NE(alone[0].tracker.chain.switch_probability, 0.001);
}

TEST(PreparedGroup, SaysWhyTheCohortHasNoSuchTrials) {
  const test::ScoredCohort cohort({.trial = {300}, .trials = 1, .interval = {{9000}, {9000}}});
  const std::vector settings{make_setting(with("trials", "switching"))};
  const ScoreLibrary library(cohort, settings, {});
  const PreparedGroup prepared(settings, library, {}, {});
  EXPECT_EQ(prepared.experiment(), nullptr);
  EXPECT_NE(prepared[0].obstacle.find("no switch of attention"), std::string::npos);
}

// They answer to onsets and below 1 Hz as real ones do (docs/simulation.md).
TEST(PreparedGroup, SimulatedListenersTellOfAnyRecipe) {
  const auto cohort = simulated_cohort({test::few_listeners({.trials = 3, .trial = Seconds{24}})});
  const std::vector settings{make_setting(with("recipe", "onset"))};
  const ScoreLibrary library(*cohort, settings, {});
  EXPECT_TRUE(PreparedGroup(settings, library, {}, {}).notes().empty());
}

}  // namespace
}  // namespace heed::study
