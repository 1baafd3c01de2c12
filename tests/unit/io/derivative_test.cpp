// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/bids/dataset_writer.h>
#include <io/text_file.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

TEST(Derivative, SaysWhatMadeItAndOfWhat) {
  const test::TemporaryFolder folder;
  const auto out = folder.path() / "a" / "out";
  make_derivative_folder(out, {.name = "Study"});
  const std::string text = read_text_file(out / "dataset_description.json");
  EXPECT_NE(text.find("\"derivative\""), std::string::npos);
  EXPECT_NE(text.find("\"heed\""), std::string::npos);
  EXPECT_NE(text.find("Study"), std::string::npos);
}

TEST(Derivative, ItsOwnFolderIsTakenAgain) {
  const test::TemporaryFolder folder;
  make_derivative_folder(folder.path(), {.name = "Study"});
  const std::string before = read_text_file(folder.path() / "dataset_description.json");
  make_derivative_folder(folder.path(), {.name = "Another"});
  EXPECT_EQ(read_text_file(folder.path() / "dataset_description.json"), before);
}

TEST(Derivative, SomebodyElsesFolderIsRefused) {
  for (const char* text : {R"({"Name": "Raw", "BIDSVersion": "1.9.0"})", R"({"GeneratedBy": [{"Name": "other"}]})",
                           R"({"GeneratedBy": "heed"})", "not JSON"}) {
    const test::TemporaryFolder folder;
    folder.write("dataset_description.json", text);
    test::expect_error(ErrorKind::cannot_create, {"another folder"},
                       [&] { make_derivative_folder(folder.path(), {.name = "Study"}); });
    EXPECT_EQ(read_text_file(folder.path() / "dataset_description.json"), text);
  }
}

TEST(Derivative, AFileInItsPlaceIsNamed) {
  const test::TemporaryFolder folder;
  folder.write("out", "x");
  test::expect_error(ErrorKind::cannot_create, {"out"},
                     [&] { make_derivative_folder(folder.path() / "out", {.name = "Study"}); });
}

TEST(Derivative, ResultsDoNotLieAmongTheData) {
  const test::TemporaryFolder folder;
  const BidsDataset source{.root = folder.path() / "study", .name = "Study"};
  for (const char* name : {"study", "study/x", "study/sub-01/../results"}) {
    test::expect_error(ErrorKind::cannot_create, {"inside the dataset", "derivatives"},
                       [&] { make_derivative_folder(folder.path() / name, source); });
  }
  make_derivative_folder(folder.path() / "study/derivatives/heed", source);
  make_derivative_folder(folder.path() / "study-results", source);
}

TEST(Derivative, ResultsLieByParticipant) {
  const test::TemporaryFolder folder;
  BidsRun run{.name = "sub-01_task-attend_run-1"};
  run.entities.subject = "01";
  const auto path = derivative_path(folder.path(), run, "desc-ls_scores.tsv");
  EXPECT_EQ(path, folder.path() / "sub-01/eeg/sub-01_task-attend_run-1_desc-ls_scores.tsv");
  EXPECT_TRUE(std::filesystem::is_directory(path.parent_path()));
}

TEST(Derivative, AndBySession) {
  const test::TemporaryFolder folder;
  BidsRun run{.name = "sub-01_ses-A_task-attend"};
  run.entities.subject = "01";
  run.entities.session = "A";
  EXPECT_EQ(derivative_path(folder.path(), run, "x.tsv"),
            folder.path() / "sub-01/ses-A/eeg/sub-01_ses-A_task-attend_x.tsv");
}

}  // namespace
}  // namespace heed::io
