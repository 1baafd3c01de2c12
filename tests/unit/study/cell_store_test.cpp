// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <study/cell_store.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::study {
namespace {

const std::vector<NamedTable> some{
    {"tracking", {.columns = {"participant", "accuracy"}, .rows = {{"sub-01", 0.9}, {"sub-02", TableValue()}}}},
    {"notes", {.columns = {"text"}, .rows = {{"# no heading"}}}},
    {"empty", {.columns = {"text"}, .rows = {}}}};

TEST(CellStore, FindsWhatItKept) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path() / "cells");
  EXPECT_FALSE(store.find("abc"));
  store.keep("abc", some, "a test");
  const auto found = store.find("abc");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), some.size());
  for (std::size_t k = 0; k < some.size(); ++k) {
    EXPECT_EQ((*found)[k].name, some[k].name);
    EXPECT_EQ((*found)[k].table.columns, some[k].table.columns);
    EXPECT_EQ((*found)[k].table.rows, some[k].table.rows);
  }
  EXPECT_TRUE(CellStore(folder.path() / "cells").find("abc")) << "by another run of the program";
}

TEST(CellStore, SaysWhatACellWasMadeFrom) {
  const test::TemporaryFolder folder;
  CellStore(folder.path()).keep("abc", some, "sub-01 of a test");
  const std::string text = io::read_text_file(folder.path() / "ab/abc.tsv");
  EXPECT_TRUE(text.starts_with("# heed ")) << text;
  EXPECT_NE(text.substr(0, text.find('\n')).find("sub-01 of a test"), std::string::npos);
}

// Every byte that changes, and every byte that is missing at the end, makes the cell as good as none.
TEST(CellStore, DoesNotTrustADamagedCell) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path());
  store.keep("abc", some, "a test");
  const std::string whole = io::read_text_file(folder.path() / "ab/abc.tsv");
  EXPECT_TRUE(store.has_file("abc"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = changed[at] == 'x' ? 'y' : 'x';
    folder.write("ab/abc.tsv", changed);
    EXPECT_FALSE(store.find("abc")) << at;
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    folder.write("ab/abc.tsv", whole.substr(0, length));
    EXPECT_FALSE(store.find("abc")) << length;
    EXPECT_TRUE(store.has_file("abc")) << length;
  }
}

TEST(CellStore, DoesNotWaitForAPipe) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path());
  std::filesystem::create_directories(folder.path() / "ab");
  ASSERT_EQ(::mkfifo((folder.path() / "ab" / "abc.tsv").c_str(), 0600), 0);
  EXPECT_FALSE(store.find("abc"));
  store.keep("abc", some, "a test");
  EXPECT_TRUE(store.find("abc")) << "takes its place";
}

TEST(CellStore, DoesNotTakeOneCellForAnother) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path());
  store.keep("abc", some, "a test");
  folder.write("ab/abd.tsv", io::read_text_file(folder.path() / "ab/abc.tsv"));
  EXPECT_TRUE(store.find("abc"));
  EXPECT_FALSE(store.find("abd")) << "a copy under another name";
}

// Old, and of a process that is no more; everything else may be somebody's work of this moment.
TEST(CellStore, RemovesWhatKilledProcessesLeft) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path());
  constexpr int beyond_the_largest = 1 << 30;
  const auto file = [&](int process, std::chrono::seconds age) {
    const auto path = folder.write("ab/.heed-" + std::to_string(process) + "-0.tmp", "half a ce");
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
    return path;
  };
  const auto young = file(beyond_the_largest, std::chrono::seconds(30));
  const auto of_the_future = file(beyond_the_largest - 1, std::chrono::seconds(-3600));
  const auto alive = file(::getpid(), std::chrono::seconds(3600));
  const auto left = file(beyond_the_largest - 2, std::chrono::seconds(90));
  store.keep("abc", some, "a test");
  EXPECT_EQ(store.remove_leftovers(), 1U);
  EXPECT_FALSE(std::filesystem::exists(left));
  for (const auto& path : {young, of_the_future, alive}) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  EXPECT_TRUE(store.find("abc"));
  EXPECT_EQ(CellStore(folder.path() / "nowhere").remove_leftovers(), 0U);
}

TEST(CellStore, NamesTheFolderThatCannotBeMade) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("taken", "");
  test::expect_error(ErrorKind::cannot_create, {"taken", "-o"}, [&] { CellStore store(file); });
}

}  // namespace
}  // namespace heed::study
