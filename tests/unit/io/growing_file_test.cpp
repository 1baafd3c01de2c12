// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <io/growing_file.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GrowingFile, WhatIsAppendedIsThereAtOnce) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("a.tsv", "of an earlier session, and longer");
  GrowingFile file(path, "the table");
  EXPECT_EQ(content_of(path), "");
  file.append("onset\n");
  EXPECT_EQ(content_of(path), "onset\n");
  file.append("0\n");
  file.overwrite_start("ON");
  EXPECT_EQ(content_of(path), "ONset\n0\n");
  file.finish();
  EXPECT_FALSE(file.is_open());
  file.finish();
  EXPECT_EQ(content_of(path), "ONset\n0\n");
}

TEST(GrowingFile, BelongsToOneAtATime) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.tsv";
  GrowingFile first(path, "the table");
  first.append("first");
  expect_error(ErrorKind::cannot_create, {path.string(), "the table", "another process is writing to it"},
               [&] { const GrowingFile second(path, "the table"); });
  EXPECT_FALSE(hold_emptied(path).is_open());
  EXPECT_EQ(errno, EBUSY);
  EXPECT_EQ(content_of(path), "first") << "whoever was refused has emptied it";
  GrowingFile moved = std::move(first);
  moved.append(", and on");
  EXPECT_EQ(content_of(path), "first, and on");
  moved.finish();
  const GrowingFile second(path, "the table");
  EXPECT_EQ(content_of(path), "");
}

TEST(GrowingFile, WhatCannotBeWrittenIsTold) {
  const test::TemporaryFolder folder;
  expect_error(ErrorKind::cannot_create, {"nowhere", "No such file"},
               [&] { const GrowingFile file(folder.path() / "nowhere" / "a.xdf", "the recording"); });
  GrowingFile full("/dev/full", "the recording");
  expect_error(ErrorKind::io, {"/dev/full", "the recording could not be written", "No space left"},
               [&] { full.append("x"); });
}

TEST(GrowingFile, APipeIsNeitherEmptiedNorHeld) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // NOLINT(*-vararg)
  GrowingFile one(path, "the table");
  GrowingFile two(path, "the table");
  one.append("a");
  two.append("b");
  std::string read(3, ' ');
  ASSERT_EQ(::read(reader.get(), read.data(), read.size()), 2);
  EXPECT_EQ(read, "ab ");
}

TEST(MakeNew, IsDoneOnce) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.eeg";
  EXPECT_TRUE(make_new(path, "the recording"));
  folder.write("a.eeg", "samples");
  EXPECT_FALSE(make_new(path, "the recording"));
  EXPECT_EQ(content_of(path), "samples");
  expect_error(ErrorKind::cannot_create, {"nowhere", "the recording"},
               [&] { (void)make_new(folder.path() / "nowhere" / "a.eeg", "the recording"); });
}

}  // namespace
}  // namespace heed::io
