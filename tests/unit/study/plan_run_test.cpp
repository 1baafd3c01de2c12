// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <rapidcheck/gtest.h>
#include <study/cohorts/score_library.h>
#include <study/results/participant_results.h>

#include <filesystem>
#include <map>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

namespace fs = std::filesystem;
using test::PlannedStudy;

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().filename().string()] = io::read_text_file(entry.path());
  }
  return files;
}

TEST(RunPlan, MakesEveryResultOnce) {
  const PlannedStudy planned;
  const PlanRunReport first = planned.run();
  EXPECT_EQ(first.participants, 4U);
  EXPECT_EQ(first.results, 24U);
  EXPECT_EQ(first.made, 24U);
  EXPECT_EQ(files_in(planned.folder.results()).size(), 4U) << "one file per participant";
  EXPECT_EQ(planned.cohort.decoded, 4U);
  const PlanRunReport second = planned.run();
  EXPECT_EQ(second.done_before, 24U);
  EXPECT_EQ(second.made, 0U);
  EXPECT_EQ(planned.cohort.decoded, 4U);
}

TEST(RunPlan, ResultsSayWhatTheyAreMadeFrom) {
  const PlannedStudy planned;
  (void)planned.run();
  const std::string text = io::read_text_file(planned.folder.results() / "sub-03.tsv");
  EXPECT_TRUE(text.starts_with("# heed ")) << text;
  EXPECT_NE(text.find("| seed 1 | sub-03 xxh3-128:made-up 2 |"), std::string::npos) << text;
}

// Shares of any number give the bytes of one process, and decode everybody once between them.
TEST(RunPlan, SharesGiveTheBytesOfOneProcess) {
  const PlannedStudy whole;
  (void)whole.run();
  for (const std::size_t count : {2U, 3U, 5U, 30U}) {
    const PlannedStudy shared;
    std::size_t made = 0;
    for (std::size_t number = count; number >= 1; --number) made += shared.run({number, count}).made;
    EXPECT_EQ(made, 24U);
    EXPECT_EQ(shared.cohort.decoded, 4U);
    EXPECT_EQ(files_in(shared.folder.results()), files_in(whole.folder.results())) << count;
  }
}

// Every participant is in one share, the shares follow each other, and none has more than its part of the outcomes and
// those of one participant.
RC_GTEST_PROP(BlockOf, SharesCoverAllParticipantsOnce, ()) {
  const auto two = *rc::gen::inRange<std::size_t>(1, 40);
  const auto three = *rc::gen::inRange<std::size_t>(0, 40);
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  std::vector<GridParticipant> participants;
  for (std::size_t k = 0; k < two + three; ++k) participants.push_back({std::to_string(k), k < two ? 2 : 3});
  Setting smooth;
  smooth.tracker = track::Method::smooth;
  Setting of_three;
  of_three.speakers = 3;
  const OutcomeGrid grid({Setting{}, smooth, of_three}, participants);
  std::size_t next = 0;
  for (std::size_t number = 1; number <= count; ++number) {
    const ParticipantBlock block = block_of({number, count}, grid);
    RC_ASSERT(block.first == next);
    RC_ASSERT(grid.size_of_first(block.last) - grid.size_of_first(block.first) <= (grid.size() / count) + 3);
    next = block.last;
  }
  RC_ASSERT(next == participants.size());
}

TEST(RunPlan, MakesADamagedFileAgain) {
  const PlannedStudy planned;
  (void)planned.run();
  const auto before = files_in(planned.folder.results());
  const fs::path file = planned.folder.results() / "sub-02.tsv";
  fs::resize_file(file, fs::file_size(file) - 5);
  const PlanRunReport report = planned.run();
  EXPECT_EQ(report.damaged, 1U);
  EXPECT_EQ(report.done_before, 18U);
  EXPECT_EQ(report.made, 6U);
  EXPECT_EQ(files_in(planned.folder.results()), before);
}

// A participant who was not finished when the run was killed: what was written stays.
TEST(RunPlan, MakesOfAParticipantWhatIsMissing) {
  const PlannedStudy planned;
  (void)planned.run();
  const auto before = files_in(planned.folder.results());
  const Plan& plan = planned.folder.plan();
  const ResultStore whole(planned.folder.results());
  EXPECT_TRUE(whole.contains("02", plan.key({1, 0})));  // read before it is gone
  fs::remove(planned.folder.results() / "sub-02.tsv");
  ResultStore part(planned.folder.results());
  for (const std::size_t setting : {0U, 3U}) {
    const std::string key = plan.key({1, setting});
    part.add("02", key, *whole.find("02", key), plan.provenance(1));
  }
  part.write_all();
  EXPECT_EQ(planned.run().made, 4U);
  EXPECT_EQ(files_in(planned.folder.results()), before);
}

// What the cohort cannot give is finished too: its outcomes say why.
TEST(RunPlan, FinishesWhatCannotBeRun) {
  const PlannedStudy planned("title = \"w\"\n[[grid]]\nwindow = [1, 5]\n");
  EXPECT_EQ(planned.run().made, 8U);
  const auto outcome = ResultStore(planned.folder.results()).find("01", planned.folder.plan().key({0, 1}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->left_out, "only windows of 1 s");
}

TEST(RunPlan, TellsHowFarItIs) {
  const PlannedStudy planned;
  std::size_t last = 0;
  (void)run_plan(planned.folder, planned.cohort, {.threads = {3}, .results = [&](std::size_t done, std::size_t all) {
                                                    EXPECT_EQ(done, last + 1);
                                                    EXPECT_EQ(all, 24U);
                                                    last = done;
                                                  }});
  EXPECT_EQ(last, 24U);
}

TEST(RunPlan, StudiesOnTheSameScoresShareTheirResults) {
  const PlannedStudy planned;
  const auto participants = participants_of(planned.cohort);
  const Plan small({"small.toml", test::sweep_toml}, {}, planned.cohort, participants);
  std::string toml = test::sweep_toml;
  toml.replace(toml.find("0.1]"), 4, "0.1, 0.2]");
  const Plan large({"large.toml", toml}, {}, planned.cohort, participants);
  const ScoreLibrary scores(planned.cohort, large.grid().settings(), {});
  ResultStore results(planned.temporary.path() / "results");
  EXPECT_EQ(run_plan(small, scores, results, {}).made, 24U);
  const auto alone = files_in(planned.temporary.path() / "results");
  const PlanRunReport grown = run_plan(large, scores, results, {.threads = {2}});
  EXPECT_EQ(grown.done_before, 24U);
  EXPECT_EQ(grown.made, 8U);
  (void)planned.run();
  EXPECT_EQ(files_in(planned.folder.results()), alone) << "the bytes of a plan of its own";
}

TEST(RunPlan, NamesTheFolderThatCannotBeMade) {
  const PlannedStudy planned;
  planned.temporary.write("plan/results", "a file in their place");
  test::expect_error(ErrorKind::cannot_create, {"results"}, [&] { (void)planned.run(); });
}

}  // namespace
}  // namespace heed::study
