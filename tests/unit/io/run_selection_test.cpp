// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/bids_dataset.h>

#include "support/expect_error.h"

namespace heed::io {
namespace {

BidsDataset dataset() {
  BidsDataset result{.root = "data"};
  for (const char* subject : {"01", "02", "pilot"}) {
    for (const char* run : {"1", "02"}) {
      BidsRun one{.name = std::string("sub-") + subject + "_run-" + run};
      one.entities = {.subject = subject, .session = "", .task = "attend", .acquisition = "", .run = run};
      result.runs.push_back(one);
    }
  }
  return result;
}

std::vector<std::string> names(const std::vector<ParticipantRuns>& participants) {
  std::vector<std::string> result;
  for (const auto& one : participants) {
    for (const auto& run : one.runs) result.push_back(run.name);
  }
  return result;
}

TEST(RunSelection, EverythingWhereNothingIsAskedFor) {
  const auto all = select_runs(dataset(), {});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].id, "pilot");
  EXPECT_EQ(names(all).size(), 6U);
}

TEST(RunSelection, LabelsWithOrWithoutKeysAndZeros) {
  const std::vector<std::string> expected{"sub-02_run-1", "sub-02_run-02"};
  for (const char* label : {"02", "2", "sub-02", "sub-2"}) {
    EXPECT_EQ(names(select_runs(dataset(), {.participants = {label}})), expected) << label;
  }
  EXPECT_EQ(names(select_runs(dataset(), {.participants = {"pilot"}, .runs = {"2"}})),
            std::vector<std::string>{"sub-pilot_run-02"});
}

TEST(RunSelection, RunsCanBeLeftOut) {
  EXPECT_EQ(names(select_runs(dataset(), {.participants = {"01"}, .without_runs = {"01"}})),
            std::vector<std::string>{"sub-01_run-02"});
}

TEST(RunSelection, OneRunIsMeantByItsName) {
  EXPECT_EQ(names(select_runs(dataset(), {.without_runs = {"sub-02_run-1"}})),
            (std::vector<std::string>{"sub-01_run-1", "sub-01_run-02", "sub-02_run-02", "sub-pilot_run-1",
                                      "sub-pilot_run-02"}));
  EXPECT_EQ(names(select_runs(dataset(), {.runs = {"sub-02_run-1"}})), std::vector<std::string>{"sub-02_run-1"});
  test::expect_error(ErrorKind::not_found, {"run 'sub-02_run-3'"},
                     [] { (void)select_runs(dataset(), {.without_runs = {"sub-02_run-3"}}); });
}

TEST(RunSelection, UnknownLabelsAreNamedWithTheKnownOnes) {
  test::expect_error(ErrorKind::not_found, {"participant '07'", "01 02 pilot"},
                     [] { (void)select_runs(dataset(), {.participants = {"07"}}); });
  test::expect_error(ErrorKind::not_found, {"run '9'"}, [] { (void)select_runs(dataset(), {.without_runs = {"9"}}); });
  test::expect_error(ErrorKind::not_found, {"session 'a'", "none"},
                     [] { (void)select_runs(dataset(), {.sessions = {"a"}}); });
}

TEST(RunSelection, NothingLeftIsAnError) {
  test::expect_error(ErrorKind::not_found, {"data"},
                     [] { (void)select_runs(dataset(), {.runs = {"1"}, .without_runs = {"1"}}); });
}

}  // namespace
}  // namespace heed::io
