// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
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
  for (const OutcomePlace place : plan.grid().all()) keys.insert(plan.key(place));
  return keys;
}

TEST(Plan, HasAKeyForEachOutcome) {
  const Plan plan = plan_of(sweep_toml, ScoredCohort());
  EXPECT_EQ(plan.grid().size(), 24U);
  EXPECT_EQ(keys_of(plan).size(), 24U);
}

// Nothing of a plan is found in another that differs in anything its numbers depend on.
TEST(Plan, KeysChangeWithWhateverAnOutcomeDependsOn) {
  const auto keys = keys_of(plan_of(sweep_toml, ScoredCohort()));
  const std::string reliability =
      "title = \"p\"\n[figure]\npicture = \"reliability\"\n" + sweep_toml.substr(sweep_toml.find("[[grid]]"));
  const auto shares_none = [&](const Plan& other) {
    return std::ranges::none_of(keys_of(other), [&](const std::string& key) { return keys.contains(key); });
  };
  EXPECT_TRUE(shares_none(plan_of(sweep_toml, ScoredCohort(), {.seed = 2})));
  EXPECT_TRUE(shares_none(plan_of(sweep_toml, ScoredCohort(), {.quick = true})));
  EXPECT_TRUE(shares_none(plan_of(sweep_toml, ScoredCohort({.participants = 5})))) << "emissions see everybody";
  EXPECT_TRUE(shares_none(plan_of(reliability, ScoredCohort())));
}

// A study that grows keeps its outcomes: the files of results may be copied over.
TEST(Plan, KeysStayWhenTheGridGrows) {
  std::string longer = sweep_toml;
  longer.replace(longer.find("0.1]"), 4, "0.1, 0.2]");
  const auto grown = keys_of(plan_of(longer, ScoredCohort()));
  EXPECT_EQ(grown.size(), 32U);
  for (const std::string& key : keys_of(plan_of(sweep_toml, ScoredCohort()))) EXPECT_TRUE(grown.contains(key));
}

TEST(Plan, SaysWhatResultsAreMadeFrom) {
  EXPECT_EQ(plan_of(sweep_toml, ScoredCohort(), {.seed = 7}).provenance(1), "seed 7 | sub-02 xxh3-128:made-up 1");
}

TEST(Plan, IsTheSameWhereverTheStudyLay) {
  const ScoredCohort cohort;
  EXPECT_EQ(Plan({"/some/where/mine.toml", sweep_toml}, {}, cohort).json(), plan_of(sweep_toml, cohort).json());
}

TEST(Plan, OneParticipantIsNoCohort) {
  test::expect_error(ErrorKind::bad_data, {"not a cohort"},
                     [] { (void)plan_of(sweep_toml, ScoredCohort({.participants = 1})); });
}

TEST(PlanFolder, IsReadAgain) {
  const test::PlannedStudy planned;
  EXPECT_EQ(PlanFolder(planned.folder.folder()).plan().json(), planned.folder.plan().json());
}

TEST(PlanFolder, IsNotMadeWhereSomethingIs) {
  const test::PlannedStudy planned;
  test::expect_error(ErrorKind::cannot_create, {"something already", "heed study run"},
                     [&] { PlanFolder(planned.folder.folder(), planned.folder.plan()); });
  const auto file = planned.temporary.write("file", "");
  test::expect_error(ErrorKind::cannot_create, {"file"}, [&] { PlanFolder(file, planned.folder.plan()); });
  test::expect_error(ErrorKind::cannot_create, {"below", "cannot be created"},
                     [&] { PlanFolder(file / "below", planned.folder.plan()); });
  std::filesystem::create_directory(planned.temporary.path() / "empty");
  EXPECT_NO_THROW(PlanFolder(planned.temporary.path() / "empty", planned.folder.plan()));
}

TEST(PlanFolder, ThatIsNoneIsRefused) {
  const test::TemporaryFolder folder;
  test::expect_error(ErrorKind::not_found, {"nowhere", "heed study plan"},
                     [&] { PlanFolder(folder.path() / "nowhere"); });
  test::expect_error(ErrorKind::bad_data, {"not the plan of a study"}, [&] { PlanFolder{folder.path()}; });
  test::expect_error(ErrorKind::bad_data, {"not the plan of a study"}, [&] { PlanFolder{folder.write("file", "")}; });
}

}  // namespace
}  // namespace heed::study
