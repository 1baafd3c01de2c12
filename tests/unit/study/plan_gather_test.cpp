// SPDX-License-Identifier: MIT
// The oracle is run_study: what is gathered from cells has its bytes.
#include <gtest/gtest.h>
#include <io/result_table_file.h>
#include <io/text_file.h>
#include <study/plan/plan_gather.h>

#include <filesystem>

#include "support/expect_error.h"
#include "support/planned_study.h"

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
    expect_same(result_of(planned.folder.plan(), CellStore(planned.folder.cells())), expected, toml);
  }
}

TEST(ResultOf, NamesTheCellThatIsMissing) {
  const PlannedStudy planned;
  (void)planned.run();
  const CellStore cells(planned.folder.cells());
  const auto file = cells.file_of(planned.folder.plan().key({2, 1}));
  std::filesystem::remove(file);
  expect_error(ErrorKind::bad_data, {file.string(), "missing"}, [&] { (void)result_of(planned.folder.plan(), cells); });
}

TEST(GatherPlan, RefusesWhatIsNotFinished) {
  const PlannedStudy planned;
  (void)planned.run({1, 4});
  const auto table = planned.temporary.path() / "table.tsv";
  expect_error(ErrorKind::bad_data, {"18 of 24 cells are missing", "heed study run", "--partial"},
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

}  // namespace
}  // namespace heed::study
