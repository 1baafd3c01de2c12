// SPDX-License-Identifier: MIT
// The oracle is run_study: what is gathered from files has its bytes.
#include <gtest/gtest.h>
#include <io/result_table_file.h>
#include <io/text_file.h>
#include <study/plan/plan_gather.h>

#include <filesystem>

#include "support/expect_error.h"
#include "support/planned_study.h"
#include "support/run_study.h"

namespace heed::study {
namespace {

using test::expect_error;
using test::PlannedStudy;

StudyResult at_once(const PlannedStudy& planned) {
  const Study& study = planned.folder.plan().study();
  return run_study(study, ScoreLibrary(planned.cohort, settings_of(study), {}), {});
}

void expect_same(const StudyResult& found, const StudyResult& expected, const std::string& toml) {
  EXPECT_EQ(found.obstacle, expected.obstacle);
  EXPECT_EQ(found.notes, expected.notes);
  ASSERT_EQ(found.tables.size(), expected.tables.size()) << toml;
  for (std::size_t k = 0; k < expected.tables.size(); ++k) {
    EXPECT_EQ(found.tables[k].name, expected.tables[k].name);
    EXPECT_EQ(io::table_text(found.tables[k].table), io::table_text(expected.tables[k].table)) << toml;
  }
}

TEST(GatherPlan, GivesTheTablesOfTheStudyRunAtOnce) {
  const std::string grid = "[[grid]]\ntracker = [\"causal\", \"smooth\"]\n";
  for (const std::string& toml :
       {test::sweep_toml, "title = \"r\"\n[figure]\npicture = \"reliability\"\n" + grid,
        "title = \"t\"\nmeasure = \"trace\"\n" + grid,
        std::string("title = \"l\"\nmeasure = \"independence\"\n[[grid]]\ndecoder = [\"cca\", \"ls\"]\n"),
        std::string("title = \"w\"\n[[grid]]\ntracker = [\"causal\", \"viterbi\"]\nwindow = [1, 5]\n")}) {
    const PlannedStudy planned(toml);
    for (const std::size_t number : {2U, 1U, 3U}) (void)planned.run({number, 3});
    const auto table = planned.temporary.path() / "table.tsv";
    EXPECT_EQ(gather_plan(planned.folder, table, {}).missing, 0U);
    const StudyResult expected = at_once(planned);
    for (const NamedTable& one : expected.tables) EXPECT_FALSE(one.table.rows.empty()) << toml;
    expect_same(read_gathered(table).result, expected, toml);
    expect_same(result_of(planned.folder.plan(), ResultStore(planned.folder.results())), expected, toml);
  }
}

TEST(ResultOf, NamesTheFileThatIsMissing) {
  const PlannedStudy planned;
  (void)planned.run();
  const auto file = planned.folder.results() / "sub-03.tsv";
  std::filesystem::remove(file);
  expect_error(ErrorKind::bad_data, {file.string(), "missing"},
               [&] { (void)result_of(planned.folder.plan(), ResultStore(planned.folder.results())); });
}

TEST(GatherPlan, RefusesWhatIsNotFinished) {
  const PlannedStudy planned;
  (void)planned.run({1, 4});
  const auto table = planned.temporary.path() / "table.tsv";
  expect_error(ErrorKind::bad_data, {"18 of 24 results are missing", "finish the plan", "gather what is there"},
               [&] { (void)gather_plan(planned.folder, table, {}); });
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(planned.temporary.path()), {}), 1)
      << "nothing is left behind";
  EXPECT_EQ(gather_plan(planned.folder, table, {.partial = true}).missing, 18U);
  const GatheredStudy gathered = read_gathered(table);
  EXPECT_EQ(gathered.missing, 18U);
  EXPECT_EQ(gathered.result.tables.at(0).table.rows.size(), 6U);
}

TEST(GatherPlan, NamesTheTableThatCannotBeWritten) {
  const PlannedStudy planned;
  (void)planned.run();
  expect_error(ErrorKind::cannot_create, {"nowhere"},
               [&] { (void)gather_plan(planned.folder, planned.temporary.path() / "nowhere/table.tsv", {}); });
}

TEST(GatheredFiles, NameWhatIsMissingOrWrong) {
  const test::TemporaryFolder folder;
  const auto table = folder.path() / "t.tsv";
  expect_error(ErrorKind::not_found, {"t.json"}, [&] { (void)read_gathered(table); });
  folder.write("t.json", gathered_json(test::plan_of(test::sweep_toml, test::ScoredCohort()), {}, {"tracking"}));
  expect_error(ErrorKind::not_found, {"t.tsv"}, [&] { (void)read_gathered(table); });
  folder.write("t.tsv", "a\tb\n1\n");
  expect_error(ErrorKind::bad_data, {"t.tsv", "row"}, [&] { (void)read_gathered(table); });
}

}  // namespace
}  // namespace heed::study
