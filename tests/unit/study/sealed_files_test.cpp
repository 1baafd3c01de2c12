// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <study/results/sealed_files.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
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

// Old, and of a process that is no more; everything else may be somebody's work of this moment.
TEST(SealedFiles, RemovesWhatKilledProcessesLeft) {
  const test::TemporaryFolder folder;
  const SealedFiles store(folder.path());
  constexpr int beyond_the_largest = 1 << 30;
  const auto file = [&](int process, std::chrono::seconds age) {
    const auto path = folder.write(".heed-" + std::to_string(process) + "-0.tmp", "half a res");
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
    return path;
  };
  const auto young = file(beyond_the_largest, std::chrono::seconds(30));
  const auto of_the_future = file(beyond_the_largest - 1, std::chrono::seconds(-3600));
  const auto alive = file(::getpid(), std::chrono::seconds(3600));
  const auto left = file(beyond_the_largest - 2, std::chrono::seconds(90));
  store.write("abc", some, "a test");
  EXPECT_EQ(store.remove_leftovers(), 1U);
  EXPECT_FALSE(std::filesystem::exists(left));
  for (const auto& path : {young, of_the_future, alive}) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  EXPECT_TRUE(store.read("abc"));
  EXPECT_EQ(SealedFiles(folder.path() / "nowhere").remove_leftovers(), 0U);
}

TEST(SealedFiles, NameTheFolderThatCannotBeMade) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("taken", "");
  test::expect_error(ErrorKind::cannot_create, {"taken", "another folder"}, [&] { SealedFiles store(file); });
}

}  // namespace
}  // namespace heed::study
