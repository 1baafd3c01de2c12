// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/plan/gathered_files.h>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

using test::expect_error;

TEST(GatheredFiles, LieBesideTheTable) {
  EXPECT_EQ(file_of_table("a/t.tsv", "tracking", "tracking"), "a/t.tsv");
  EXPECT_EQ(file_of_table("a/t.tsv", "reliability", "tracking"), "a/t_reliability.tsv");
  EXPECT_EQ(sidecar_of("a/t.tsv"), "a/t.json");
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
