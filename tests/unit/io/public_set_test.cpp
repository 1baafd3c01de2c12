// SPDX-License-Identifier: MIT
// Which files are whose: names as published, in folders of any depth, or anything if it is given by name.
#include <gtest/gtest.h>
#include <io/public_sets/public_set.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

class PublicSetTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> found(PublicSet set, const std::vector<std::filesystem::path>& sources) const {
    std::vector<std::string> result;
    for (const PublicFile& file : find_public_files(set, sources)) {
      result.push_back(file.subject + " " + file.path.lexically_relative(folder_.path()).string());
    }
    return result;
  }

  test::TemporaryFolder folder_;
};

TEST_F(PublicSetTest, FindsFilesByTheirPublishedNames) {
  for (const char* name : {"S1.mat", "S10.mat", "S2_data_preproc.mat", "stimuli/x.wav", "deep/down/S3.mat", "S.mat",
                           "Sx.mat", "2024-AV-GC-AAD-sub07_preprocessed.mat", "s4.MAT"}) {
    folder_.write(name, "");
  }
  using Names = std::vector<std::string>;
  EXPECT_EQ(found(PublicSet::kuleuven, {folder_.path()}),
            (Names{"01 S1.mat", "03 deep/down/S3.mat", "04 s4.MAT", "10 S10.mat"}));
  EXPECT_EQ(found(PublicSet::dtu, {folder_.path()}), Names{"02 S2_data_preproc.mat"});
  EXPECT_EQ(found(PublicSet::av_gc_aad, {folder_.path()}), Names{"07 2024-AV-GC-AAD-sub07_preprocessed.mat"});
}

TEST_F(PublicSetTest, TakesAnyFileByName) {
  const auto file = folder_.write("my listener-3.mat", "");
  EXPECT_EQ(found(PublicSet::dtu, {file}), std::vector<std::string>{"mylistener3 my listener-3.mat"});
}

TEST_F(PublicSetTest, SaysWhatIsMissingOrTwice) {
  folder_.write("a/S1.mat", "");
  folder_.write("b/S01.mat", "");
  expect_error(ErrorKind::bad_data, {"two files belong to participant 01", "a/S1.mat", "b/S01.mat"},
               [&] { (void)found(PublicSet::kuleuven, {folder_.path()}); });
  expect_error(ErrorKind::not_found, {"no file S<number>_data_preproc.mat", "zenodo.org/records/1199011"},
               [&] { (void)found(PublicSet::dtu, {folder_.path()}); });
  expect_error(ErrorKind::not_found, {"nowhere: no such file or folder"},
               [&] { (void)found(PublicSet::dtu, {folder_.path() / "nowhere"}); });
}

TEST_F(PublicSetTest, EverySetSaysWhereItIs) {
  for (const PublicSet set : all_public_sets()) {
    EXPECT_TRUE(url(set).starts_with("https://zenodo.org/records/")) << name(set);
    EXPECT_FALSE(description(set).authors.empty());
    EXPECT_NE(description(set).readme.find(url(set)), std::string::npos);
  }
}

}  // namespace
}  // namespace heed::io
