// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/held_file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

namespace fs = std::filesystem;
using test::expect_error;

// What a process that is killed while it does `work` leaves behind.
template <typename Work>
void kill_while(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(HeldFile, NobodyElseGetsItWhileItIsOpen) {
  const test::TemporaryFolder folder;
  fs::path first;
  fs::path second;
  const FileDescriptor held = hold_temporary(folder.path(), first);
  ASSERT_TRUE(held.is_open());
  ASSERT_TRUE(hold_temporary(folder.path(), second).is_open());
  EXPECT_NE(first, second);
  EXPECT_TRUE(fs::exists(first));
  fs::path third;
  ASSERT_TRUE(hold_temporary(folder.path(), third).is_open());
  EXPECT_EQ(second, third) << "whoever made the second is gone";
}

TEST(HeldFile, ALinkIsNeitherFollowedNorRemoved) {
  const test::TemporaryFolder folder;
  fs::path path;
  ASSERT_TRUE(hold_temporary(folder.path(), path).is_open());
  const auto treasure = folder.write("treasure", "gold");
  fs::remove(path);
  fs::create_symlink(treasure, path);
  fs::path other;
  EXPECT_TRUE(hold_temporary(folder.path(), other).is_open());
  EXPECT_NE(path, other);
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(fs::file_size(treasure), 4U);
}

TEST(HeldFile, AFolderThatIsNotThereIsNoReasonToTryAgain) {
  const test::TemporaryFolder folder;
  fs::path path;
  EXPECT_FALSE(hold_temporary(folder.path() / "nowhere", path).is_open());
  EXPECT_EQ(errno, ENOENT);
}

TEST(HeldFile, TheNextWriterRemovesWhatKilledOnesLeft) {
  const test::TemporaryFolder folder;
  for (int writer = 0; writer < 3; ++writer) {
    kill_while([&] {
      const StagedFile one(folder.path() / "a.tsv", "half");
      const StagedFile two(folder.path() / "b.tsv", "half");
      ::kill(::getpid(), SIGKILL);
    });
  }
  EXPECT_GE(entries(folder.path()), 2U);
  write_text_file(folder.path() / "a.tsv", "whole");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(HeldFile, AThousandAbandonedFilesAreInNobodysWay) {
  const test::TemporaryFolder folder;
  fs::path path;
  (void)hold_temporary(folder.path(), path);
  std::string name = path.filename().string();  // .heed-MACHINE-0.tmp
  for (int number = 1; number < 1000; ++number) {
    folder.write(name.substr(0, name.size() - 5) + std::to_string(number) + ".tmp", "half");
  }
  EXPECT_EQ(entries(folder.path()), 1000U);
  write_text_file(folder.path() / "a.tsv", "whole");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(FolderLock, OneAtATimeAndNothingIsLeft) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "new" / "folder";
  {
    const FolderLock lock(path);
    EXPECT_TRUE(lock.is_empty());
    expect_error(ErrorKind::cannot_create, {path.string(), "another process is writing"},
                 [&] { const FolderLock second(path); });
  }
  EXPECT_FALSE(fs::exists(path));
  {
    const FolderLock lock(path);
    folder.write("new/folder/x", "");
    EXPECT_FALSE(lock.is_empty());
  }
  EXPECT_EQ(entries(path), 1U);
}

TEST(FolderLock, OfAKilledProcessIsNone) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "out";
  kill_while([&] {
    const FolderLock lock(path);
    ::kill(::getpid(), SIGKILL);
  });
  EXPECT_TRUE(fs::exists(path));
  const FolderLock lock(path);
  EXPECT_TRUE(lock.is_empty());
}

TEST(FolderLock, WhatAKilledProcessWasWritingIsNothing) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "out";
  kill_while([&] {
    const FolderLock lock(path);
    const StagedFile one(path / "a.tsv", "half");
    const StagedFile two(path / "b.tsv", "half");
    ::kill(::getpid(), SIGKILL);
  });
  EXPECT_EQ(entries(path), 3U);
  const FolderLock lock(path);
  EXPECT_TRUE(lock.is_empty());
  EXPECT_EQ(entries(path), 1U) << "the lock alone";
}

// Its locks may not reach us: only people know whether it is still at work.
TEST(FolderLock, OfAnotherMachineIsBelieved) {
  const test::TemporaryFolder folder;
  folder.write(".heed-writing", "another-node");
  expect_error(ErrorKind::cannot_create, {"on another-node", "remove", ".heed-writing"},
               [&] { const FolderLock lock(folder.path()); });
}

TEST(FolderLock, SaysWhatIsInTheWay) {
  const test::TemporaryFolder folder;
  expect_error(ErrorKind::cannot_create, {"cannot be created as a folder"},
               [&] { const FolderLock lock(folder.write("file", "x")); });
}

}  // namespace
}  // namespace heed::io
