// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <study/scheduling/array_task.h>

#include <rapidcheck/gtest.h>
#include <map>
#include <set>

#include "support/expect_error.h"

namespace heed::study {
namespace {

using test::expect_error;
using Variables = std::map<std::string, std::string>;

Environment environment(Variables variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

struct Extent {
  std::string first;
  std::string last;
  std::string step = "1";
  std::string count{};  // empty: Slurm does not say
};

Variables slurm(const std::string& id, const Extent& extent) {
  Variables variables{{"SLURM_ARRAY_TASK_ID", id},
                      {"SLURM_ARRAY_TASK_MIN", extent.first},
                      {"SLURM_ARRAY_TASK_MAX", extent.last},
                      {"SLURM_ARRAY_TASK_STEP", extent.step}};
  if (!extent.count.empty()) variables["SLURM_ARRAY_TASK_COUNT"] = extent.count;
  return variables;
}

Variables grid_engine(const std::string& id, const std::string& first, const std::string& last,
                      const std::string& step) {
  return {{"SGE_TASK_ID", id}, {"SGE_TASK_FIRST", first}, {"SGE_TASK_LAST", last}, {"SGE_TASK_STEPSIZE", step}};
}

void expect_unclear(const Variables& variables, std::optional<std::size_t> count,
                    std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::invalid_argument, words, [&] { (void)array_task(environment(variables), count); });
}

TEST(ArrayTask, OfSlurm) {
  EXPECT_EQ(array_task(environment(slurm("1", {"1", "4", "1", "4"}))), (ArrayTask{1, 4}));
  EXPECT_EQ(array_task(environment(slurm("3", {"0", "3", "1", "4"}))), (ArrayTask{4, 4}));
  EXPECT_EQ(array_task(environment(slurm("30", {"10", "40", "10", "4"}))), (ArrayTask{3, 4}));
  EXPECT_EQ(array_task(environment(slurm("7", {"7", "7", "1", "1"}))), (ArrayTask{1, 1}));
}

TEST(ArrayTask, OfGridEngine) {
  EXPECT_EQ(array_task(environment(grid_engine("2", "1", "8", "1"))), (ArrayTask{2, 8}));
  // Asked for 1-11 by 3, the last task is 10, but 11 is what the variable says.
  EXPECT_EQ(array_task(environment(grid_engine("10", "1", "10", "3"))), (ArrayTask{4, 4}));
  EXPECT_EQ(array_task(environment(grid_engine("10", "1", "11", "3"))), (ArrayTask{4, 4}));
}

TEST(ArrayTask, OfPbsWithTheCount) {
  EXPECT_EQ(array_task(environment({{"PBS_ARRAY_INDEX", "8"}}), 8), (ArrayTask{8, 8}));
  EXPECT_EQ(array_task(environment({{"PBS_ARRAYID", "1"}}), 2), (ArrayTask{1, 2}));
  expect_unclear({{"PBS_ARRAY_INDEX", "8"}}, {}, {"PBS does not say how many tasks", "auto/8"});
  expect_unclear({{"PBS_ARRAYID", "8"}}, {}, {"Torque does not say how many tasks"});
}

// A task that died is started again alone, or with some others: it must get the part it had.
TEST(ArrayTask, KeepsItsPartWhenSomeAreStartedAgain) {
  EXPECT_EQ(array_task(environment(slurm("3", {"3", "3", "1", "1"})), 4), (ArrayTask{3, 4}));
  EXPECT_EQ(array_task(environment(slurm("4", {"1", "4", "1", "2"})), 4), (ArrayTask{4, 4}));
  EXPECT_EQ(array_task(environment(grid_engine("2", "2", "2", "1")), 4), (ArrayTask{2, 4}));
}

TEST(ArrayTask, WithGapsNeedsTheCount) {
  expect_unclear(slurm("4", {"1", "7", "1", "3"}), {}, {"with gaps", "3 tasks from 1 to 7", "auto/7"});
}

TEST(ArrayTask, OutsideOfTheCount) {
  expect_unclear(slurm("0", {"0", "3", "1", "4"}), 4, {"SLURM_ARRAY_TASK_ID='0'", "1 to 4", "number the array from 1"});
  expect_unclear({{"PBS_ARRAY_INDEX", "9"}}, 8, {"PBS_ARRAY_INDEX='9'", "1 to 8"});
  expect_unclear({{"PBS_ARRAY_INDEX", "1"}}, 0, {"0 tasks"});
}

TEST(ArrayTask, NeedsAnArray) {
  expect_unclear(
      {}, {}, {"not a task of a job array", "SLURM_ARRAY_TASK_ID", "2/8 is the second of eight", "1/1 is everything"});
  expect_unclear({}, 8, {"not a task of a job array"});
  // A job of Slurm that is no array, a job of Grid Engine that is none.
  expect_unclear({{"SLURM_JOB_ID", "17"}, {"SLURM_PROCID", "0"}}, {}, {"not a task of a job array"});
  expect_unclear(grid_engine("undefined", "undefined", "undefined", "undefined"), {}, {"not a task of a job array"});
  expect_unclear({{"SLURM_ARRAY_TASK_ID", ""}}, {}, {"not a task of a job array"});
}

TEST(ArrayTask, OfTwoSchedulers) {
  Variables both = slurm("1", {"1", "4", "1", "4"});
  both["PBS_ARRAY_INDEX"] = "2";
  expect_unclear(both, {}, {"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "unset one"});
  // A job of Slurm started where Grid Engine left its word for 'no array'.
  both = slurm("1", {"1", "4", "1", "4"});
  both["SGE_TASK_ID"] = "undefined";
  EXPECT_EQ(array_task(environment(both)), (ArrayTask{1, 4}));
}

TEST(ArrayTask, Nonsense) {
  for (const std::string id : {"two", "-1", "1.5", " 1", "1 ", "0x1", "99999999999999999999", "4294967296", "+1"}) {
    expect_unclear(slurm(id, {"1", "4"}), {}, {"SLURM_ARRAY_TASK_ID='" + id + "'", "not the number of a task"});
    expect_unclear({{"PBS_ARRAY_INDEX", id}}, 4, {"PBS_ARRAY_INDEX='" + id + "'"});
  }
  expect_unclear(slurm("1", {"one", "4"}), {}, {"SLURM_ARRAY_TASK_MIN='one'"});
  expect_unclear(slurm("1", {"1", "-4"}), {}, {"SLURM_ARRAY_TASK_MAX='-4'"});
  expect_unclear(slurm("1", {"1", "4", "1", "few"}), {}, {"SLURM_ARRAY_TASK_COUNT='few'"});
  expect_unclear(slurm("5", {"1", "4"}), {}, {"not in an array from 1 to 4"});
  expect_unclear(slurm("1", {"2", "4"}), {}, {"not in an array from 2 to 4"});
  expect_unclear(slurm("2", {"1", "5", "2"}), {}, {"not in an array from 1 to 5 by 2"});
  expect_unclear(slurm("1", {"1", "4", "0"}), {}, {"by 0"});
  expect_unclear({{"SLURM_ARRAY_TASK_ID", "1"}}, {}, {"does not say how many"});
}

TEST(ParseShare, TakesNumbersAndTheWordAuto) {
  const Environment second = environment(slurm("2", {"2", "2", "1", "1"}));
  EXPECT_EQ(parse_share("1/1", second), (ArrayTask{1, 1}));
  EXPECT_EQ(parse_share("3/12", second), (ArrayTask{3, 12}));
  EXPECT_EQ(parse_share("auto", second), (ArrayTask{1, 1}));
  EXPECT_EQ(parse_share("auto/8", second), (ArrayTask{2, 8}));
}

TEST(ParseShare, AnythingElseIsRefused) {
  const Environment second = environment(slurm("2", {"2", "2", "1", "1"}));
  for (const std::string broken : {"0/0",       "0/2",        "3/2",     "1",        "a/b",    "1/",
                                   "/2",        "1/2/3",      "-1/2",    "1 /2",     "",       "1/99999999999999999999",
                                   "1/2000000", "aut",        "Auto",    "1/auto",   "auto/",  "auto8",
                                   "automatic", "auto/eight", "auto/-8", "auto/8/8", "auto /8"}) {
    expect_error(ErrorKind::invalid_argument, {"'" + broken + "' names no share", "i/n", "auto/n"},
                 [&] { (void)parse_share(broken, second); });
  }
}

// The tasks of any array without gaps are the numbers 1 to count, each once: no share is left to nobody.
RC_GTEST_PROP(ArrayTask, CoversTheWork, ()) {
  const auto first = *rc::gen::inRange<std::size_t>(0, 1000);
  const auto step = *rc::gen::inRange<std::size_t>(1, 50);
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  const std::size_t last = first + (count - 1) * step;
  std::set<std::size_t> numbers;
  for (std::size_t id = first; id <= last; id += step) {
    const auto variables = slurm(
        std::to_string(id), {std::to_string(first), std::to_string(last), std::to_string(step), std::to_string(count)});
    const ArrayTask task = array_task(environment(variables));
    RC_ASSERT(task.count == count);
    numbers.insert(task.number);
  }
  RC_ASSERT(numbers.size() == count);
  RC_ASSERT(*numbers.begin() == 1U);
  RC_ASSERT(*numbers.rbegin() == count);
}

}  // namespace
}  // namespace heed::study
