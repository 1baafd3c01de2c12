// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

using test::plan_of;
using test::ScoredCohort;
using test::sweep_toml;

std::set<std::string> keys_of(const Plan& plan) {
  std::set<std::string> keys;
  for (std::size_t number = 0; number < plan.grid().size(); ++number) keys.insert(plan.key(plan.grid()[number]));
  return keys;
}

TEST(Plan, HasAKeyACell) {
  const Plan plan = plan_of(sweep_toml, ScoredCohort());
  EXPECT_EQ(plan.grid().size(), 24U);
  EXPECT_EQ(keys_of(plan).size(), 24U);
}

// Nothing of a plan is found in another that differs in anything its numbers depend on.
TEST(Plan, KeysChangeWithWhateverACellDependsOn) {
  const auto keys = keys_of(plan_of(sweep_toml, ScoredCohort()));
  const std::string reliability =
      "title = \"p\"\n[figure]\npicture = \"reliability\"\n" + sweep_toml.substr(sweep_toml.find("[[grid]]"));
  const auto shares_none = [&](const Plan& other) {
    for (const std::string& key : keys_of(other)) {
      if (keys.contains(key)) return false;
    }
    return true;
  };
  EXPECT_TRUE(shares_none(plan_of(sweep_toml, ScoredCohort(), {.seed = 2})));
  EXPECT_TRUE(shares_none(plan_of(sweep_toml, ScoredCohort(), {.quick = true})));
  EXPECT_TRUE(shares_none(plan_of(sweep_toml, ScoredCohort({.participants = 5})))) << "emissions see everybody";
  EXPECT_TRUE(shares_none(plan_of(reliability, ScoredCohort())));
}

// A study that grows keeps its cells: they may be copied over.
TEST(Plan, KeysStayWhenTheGridGrows) {
  std::string longer = sweep_toml;
  longer.replace(longer.find("0.1]"), 4, "0.1, 0.2]");
  const auto grown = keys_of(plan_of(longer, ScoredCohort()));
  EXPECT_EQ(grown.size(), 32U);
  for (const std::string& key : keys_of(plan_of(sweep_toml, ScoredCohort()))) EXPECT_TRUE(grown.contains(key));
}

TEST(Plan, SaysWhatACellIsMadeFrom) {
  EXPECT_EQ(plan_of(sweep_toml, ScoredCohort(), {.seed = 7}).provenance({1, 0}), "seed 7 | sub-02 xxh3-128:made-up 1");
}

TEST(Plan, IsTheSameWhereverTheStudyLay) {
  const ScoredCohort cohort;
  EXPECT_EQ(Plan({"/some/where/mine.toml", sweep_toml}, {}, cohort).json(), plan_of(sweep_toml, cohort).json());
}

TEST(Plan, OneParticipantIsNoCohort) {
  test::expect_error(ErrorKind::bad_data, {"no cohort"},
                     [] { (void)plan_of(sweep_toml, ScoredCohort({.participants = 1})); });
}

}  // namespace
}  // namespace heed::study
