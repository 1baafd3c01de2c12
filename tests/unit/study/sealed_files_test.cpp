// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <study/results/sealed_files.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::study {
namespace {

const std::string some = "participant\taccuracy\nsub-01\t0.9\n";

TEST(SealedFiles, GiveBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path() / "results");
  EXPECT_FALSE(store.read("abc"));
  store.write("abc", some, "a test");
  EXPECT_EQ(store.read("abc"), some);
  store.write("empty", "", "a test");
  EXPECT_EQ(store.read("empty"), "");
  EXPECT_EQ(SealedFiles(folder.path() / "results").read("abc"), some) << "by another run of the program";
}

TEST(SealedFiles, SayWhatTheyWereMadeFrom) {
  const test::TemporaryFolder folder;
  SealedFiles(folder.path()).write("abc", some, "sub-01 of a test");
  const std::string text = io::read_text_file(folder.path() / "abc");
  EXPECT_TRUE(text.starts_with("# heed ")) << text;
  EXPECT_NE(text.substr(0, text.find('\n')).find("| sub-01 of a test |"), std::string::npos);
}

// Every byte that changes, and every byte that is missing at the end, makes a file as good as none.
TEST(SealedFiles, DoNotTrustADamagedOne) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path());
  store.write("abc", some, "a test");
  const std::string whole = io::read_text_file(folder.path() / "abc");
  EXPECT_TRUE(store.has("abc"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = changed[at] == 'x' ? 'y' : 'x';
    folder.write("abc", changed);
    EXPECT_FALSE(store.read("abc")) << at;
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    folder.write("abc", whole.substr(0, length));
    EXPECT_FALSE(store.read("abc")) << length;
    EXPECT_TRUE(store.has("abc")) << length;
  }
}

TEST(SealedFiles, DoNotWaitForAPipe) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path());
  ASSERT_EQ(::mkfifo((folder.path() / "abc").c_str(), 0600), 0);
  EXPECT_FALSE(store.read("abc"));
  store.write("abc", some, "a test");
  EXPECT_TRUE(store.read("abc")) << "takes its place";
}

TEST(SealedFiles, DoNotTakeOneForAnother) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path());
  store.write("abc", some, "a test");
  folder.write("abd", io::read_text_file(folder.path() / "abc"));
  EXPECT_TRUE(store.read("abc"));
  EXPECT_FALSE(store.read("abd")) << "a copy under another name";
}

TEST(SealedFiles, NameTheFolderThatCannotBeMade) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("taken", "");
  test::expect_error(ErrorKind::cannot_create, {"taken", "another folder"}, [&] { SealedFiles store(file); });
}

}  // namespace
}  // namespace heed::study
