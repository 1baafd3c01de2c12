// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <study/cell_store.h>

#include <filesystem>
#include <map>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

namespace fs = std::filesystem;
using test::PlannedStudy;

std::map<std::string, std::string> cells_in(const fs::path& folder) {
  std::map<std::string, std::string> cells;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) cells[entry.path().filename().string()] = io::read_text_file(entry.path());
  }
  return cells;
}

TEST(RunPlan, MakesEveryCellOnce) {
  const PlannedStudy planned;
  const PlanRunReport first = planned.run();
  EXPECT_EQ(first.cells, 24U);
  EXPECT_EQ(first.made, 24U);
  EXPECT_EQ(cells_in(planned.folder.cells()).size(), 24U);
  EXPECT_EQ(planned.cohort.decoded, 4U);
  const PlanRunReport second = planned.run();
  EXPECT_EQ(second.done_before, 24U);
  EXPECT_EQ(second.made, 0U);
  EXPECT_EQ(planned.cohort.decoded, 4U);
}

TEST(RunPlan, CellsSayWhatTheyAreMadeFrom) {
  const PlannedStudy planned;
  (void)planned.run();
  const std::string text =
      io::read_text_file(CellStore(planned.folder.cells()).file_of(planned.folder.plan().key({2, 1})));
  EXPECT_TRUE(text.starts_with("# heed ")) << text;
  EXPECT_NE(text.find("| seed 1 | sub-03 xxh3-128:made-up 2 |"), std::string::npos) << text;
}

// Shares of any number give the bytes of one process, and decode everybody once between them.
TEST(RunPlan, SharesGiveTheBytesOfOneProcess) {
  const PlannedStudy whole;
  (void)whole.run();
  for (const std::size_t count : {2U, 5U, 30U}) {
    const PlannedStudy shared;
    std::size_t made = 0;
    for (std::size_t number = count; number >= 1; --number) made += shared.run({number, count}).made;
    EXPECT_EQ(made, 24U);
    EXPECT_EQ(shared.cohort.decoded, 4U);
    EXPECT_EQ(cells_in(shared.folder.cells()), cells_in(whole.folder.cells())) << count;
  }
}

TEST(RunPlan, MakesADamagedCellAgain) {
  const PlannedStudy planned;
  (void)planned.run();
  const auto before = cells_in(planned.folder.cells());
  const fs::path cell = CellStore(planned.folder.cells()).file_of(planned.folder.plan().key({1, 3}));
  fs::resize_file(cell, fs::file_size(cell) - 5);
  const PlanRunReport report = planned.run();
  EXPECT_EQ(report.damaged, 1U);
  EXPECT_EQ(report.made, 1U);
  EXPECT_EQ(cells_in(planned.folder.cells()), before);
}

// What the cohort cannot give is finished too: its cells say why.
TEST(RunPlan, FinishesWhatCannotBeRun) {
  const PlannedStudy planned("title = \"w\"\n[[grid]]\nwindow = [1, 5]\n");
  EXPECT_EQ(planned.run().made, 8U);
  const auto tables = CellStore(planned.folder.cells()).find(planned.folder.plan().key({0, 1}));
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->at(0).name, "notes");
  EXPECT_EQ(tables->at(0).table.rows.at(0).at(1), TableValue("only windows of 1 s"));
}

TEST(RunPlan, TellsHowFarItIs) {
  const PlannedStudy planned;
  std::size_t last = 0;
  (void)run_plan(planned.folder, planned.cohort, {.threads = {3}, .cells = [&](std::size_t done, std::size_t all) {
                                                    EXPECT_EQ(done, last + 1);
                                                    EXPECT_EQ(all, 24U);
                                                    last = done;
                                                  }});
  EXPECT_EQ(last, 24U);
}

TEST(RunPlan, StudiesOnTheSameScoresShareTheirCells) {
  const PlannedStudy planned;
  const auto participants = participants_of(planned.cohort);
  const Plan small({"small.toml", test::sweep_toml}, {}, planned.cohort, participants);
  std::string toml = test::sweep_toml;
  toml.replace(toml.find("0.1]"), 4, "0.1, 0.2]");
  const Plan large({"large.toml", toml}, {}, planned.cohort, participants);
  const ScoreLibrary scores(planned.cohort, large.grid().settings(), {});
  const CellStore cells(planned.temporary.path() / "cells");
  EXPECT_EQ(run_plan(small, scores, cells, {}).made, 24U);
  const PlanRunReport grown = run_plan(large, scores, cells, {.threads = {2}});
  EXPECT_EQ(grown.done_before, 24U);
  EXPECT_EQ(grown.made, 8U);
  (void)planned.run();
  for (const auto& [name, text] : cells_in(planned.folder.cells())) {
    EXPECT_EQ(cells_in(planned.temporary.path() / "cells").at(name), text) << "the bytes of a plan of its own";
  }
}

TEST(RunPlan, NamesTheCellThatCannotBeWritten) {
  const PlannedStudy planned;
  planned.temporary.write("plan/cells", "a file in their place");
  test::expect_error(ErrorKind::cannot_create, {"cells"}, [&] { (void)planned.run(); });
}

}  // namespace
}  // namespace heed::study
