// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/version.h>
#include <study/plan/plan_gather.h>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

using test::expect_error;
using test::plan_of;
using test::sweep_toml;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string some_plan() {
  return plan_of(sweep_toml, test::ScoredCohort(),
                 {.on = {"/data/a b", "/data/\"c\""}, .participants = 4, .quick = true, .seed = 18446744073709551615U})
      .json();
}

TEST(PlanJson, ComesBackTheSame) {
  const std::string text = some_plan();
  const Plan plan = Plan::parse(text, "plan.json");
  EXPECT_EQ(plan.json(), text);
  EXPECT_EQ(plan.cohort_name().on.at(1), "/data/\"c\"");
  EXPECT_EQ(plan.cohort_name().participants, 4);
  EXPECT_EQ(plan.cohort_name().seed, 18446744073709551615U);
  EXPECT_EQ(plan.run_options().most_repeats, 5) << "quick";
  EXPECT_EQ(plan.key({0, 0}), Plan::parse(text, "elsewhere.json").key({0, 0}));
}

TEST(PlanJson, IsSmallWhateverTheNumberOfResults) { EXPECT_LT(some_plan().size(), 3000U); }

TEST(PlanJson, OfAnotherVersionIsRefused) {
  const std::string own = "\"Version\": \"" + std::string(version()) + "\"";
  expect_error(ErrorKind::bad_data, {"plan.json", "made by heed 9.9.9", "plan again"},
               [&] { (void)Plan::parse(replaced(some_plan(), own, "\"Version\": \"9.9.9\""), "plan.json"); });
  expect_error(ErrorKind::bad_data, {"another format", "plan again"},
               [&] { (void)Plan::parse(replaced(some_plan(), "\"Format\": 3", "\"Format\": 4"), "plan.json"); });
  expect_error(ErrorKind::bad_data, {"earlier version of heed", "another folder", "removing"},
               [&] { (void)Plan::parse(replaced(some_plan(), "\"Format\": 3", "\"Format\": 1"), "plan.json"); });
}

TEST(PlanJson, ThatIsNoneIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", "null", "{\"Program\": \"heed reproduce\"}", "{\"Program\": 3}"}) {
    expect_error(ErrorKind::bad_data, {"x.json", "not the plan of a study"},
                 [&] { (void)Plan::parse(text, "x.json"); });
  }
}

TEST(PlanJson, ThatIsDamagedIsRefused) {
  const std::string text = some_plan();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"\"Results\": 24", "\"Results\": 23"},
                                                                                 {"\"Id\": \"02\"", "\"Id\": 2"},
                                                                                 {"\"Seed\": 1", "\"Sead\": 1"},
                                                                                 {"\"Quick\": true", "\"Quick\": 1"}}) {
    expect_error(ErrorKind::bad_data, {"damaged"},
                 [&, from = from, to = to] { (void)Plan::parse(replaced(text, from, to), "plan.json"); });
  }
}

TEST(GatheredJson, ComesBack) {
  const Plan plan = plan_of(sweep_toml, test::ScoredCohort(), {.seed = 7});
  const Assembled assembled{
      .notes = {{"01", NoteKind::doubtful, "a note"}}, .left_out = {{"tracker = smooth", "no reason"}}, .missing = 3};
  const GatheredSidecar back = parse_gathered(gathered_json(plan, assembled, {"tracking"}), "table.json");
  EXPECT_EQ(back.gathered.result.study.name, "mine");
  EXPECT_EQ(back.gathered.result.notes, assembled.notes);
  EXPECT_EQ(back.gathered.seed, 7U);
  EXPECT_EQ(back.gathered.missing, 3U);
  EXPECT_EQ(back.gathered.cohort, "made-up scores");
  EXPECT_EQ(back.gathered.participants.at(3).digest, "made-up 3");
  EXPECT_EQ(back.tables, std::vector<std::string>{"tracking"});
  ASSERT_EQ(back.left_out.size(), 1U);
  EXPECT_EQ(back.left_out[0].reason, "no reason");
}

TEST(GatheredJson, OfAnythingElseIsRefused) {
  const std::string text = gathered_json(plan_of(sweep_toml, test::ScoredCohort()), {}, {"tracking"});
  for (const std::string& wrong : {std::string("{}"), std::string("x"), some_plan()}) {
    expect_error(ErrorKind::bad_data, {"t.json", "gather"}, [&] { (void)parse_gathered(wrong, "t.json"); });
  }
  expect_error(ErrorKind::bad_data, {"format"},
               [&] { (void)parse_gathered(replaced(text, "\"Format\": 2", "\"Format\": 0"), "t.json"); });
  expect_error(ErrorKind::bad_data, {"damaged"},
               [&] { (void)parse_gathered(replaced(text, "\"Missing\": 0", "\"Missing\": \"0\""), "t.json"); });
}

}  // namespace
}  // namespace heed::study
