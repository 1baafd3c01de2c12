// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>
#include <io/atomic_file.h>
#include <io/text_file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>

#include "support/expect_error.h"
#include "support/io_redirect.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::Redirect;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

// Runs `write` in a child whose files may not grow beyond `bytes`. 0: an Error of kind io that names
// the file; anything else tells what went otherwise.
int write_with_limit(rlim_t bytes, const std::string& named, const std::function<void()>& write) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    (void)std::signal(SIGXFSZ, SIG_IGN);  // so that write() fails instead
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
    try {
      write();
      ::_exit(2);
    } catch (const Error& error) {
      const bool said = std::string(error.what()).find(named) != std::string::npos;
      ::_exit(error.kind() == ErrorKind::io && said ? 0 : 3);
    } catch (...) {
      ::_exit(4);
    }
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "out.tsv";
  write_text_file(file, "first\n");
  EXPECT_EQ(read_text_file(file), "first\n");
  write_text_file(file, "second\n");
  EXPECT_EQ(read_text_file(file), "second\n");
  EXPECT_EQ(folder.names(), Names{"out.tsv"});
}

TEST(AtomicFile, AStagedFileHasNoNameUntilCommitted) {
  const TemporaryFolder folder;
  const auto file = folder.write("out.tsv", "old");
  {
    const StagedFile staged(file, "new");
    EXPECT_EQ(read_text_file(file), "old");
    EXPECT_EQ(folder.names().size(), 2U);
  }
  EXPECT_EQ(read_text_file(file), "old");
  EXPECT_EQ(folder.names(), Names{"out.tsv"});
  StagedFile staged(file, "new");
  staged.commit();
  EXPECT_EQ(read_text_file(file), "new");
  EXPECT_EQ(folder.names(), Names{"out.tsv"});
}

TEST(AtomicFile, AStagedFileMayGrowPieceByPiece) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "out.tsv";
  {
    StagedFile abandoned(file);
    abandoned.append("half");
  }
  EXPECT_EQ(folder.names(), Names{});
  StagedFile staged(file);
  staged.append("first\n");
  staged.append("");
  staged.append("second\n");
  EXPECT_FALSE(std::filesystem::exists(file));
  staged.finish();
  staged.finish();
  EXPECT_FALSE(std::filesystem::exists(file));
  staged.commit();
  EXPECT_EQ(read_text_file(file), "first\nsecond\n");
  EXPECT_EQ(folder.names(), Names{"out.tsv"});
}

TEST(AtomicFile, TwoStagedFilesDoNotShareATemporary) {
  const TemporaryFolder folder;
  StagedFile a(folder.path() / "a", "of a");
  StagedFile b(folder.path() / "b", "of b");
  a.commit();
  b.commit();
  EXPECT_EQ(read_text_file(folder.path() / "a"), "of a");
  EXPECT_EQ(read_text_file(folder.path() / "b"), "of b");
}

TEST(AtomicFile, KeepsPermissionsAndFollowsLinks) {
  const TemporaryFolder folder;
  const auto file = folder.write("real.tsv", "old");
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  const auto link = folder.path() / "link.tsv";
  std::filesystem::create_symlink("real.tsv", link);
  write_text_file(link, "new");
  EXPECT_EQ(read_text_file(file), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(std::filesystem::status(file).permissions(), static_cast<std::filesystem::perms>(0640));
}

TEST(AtomicFile, NewFilesObeyTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  write_text_file(folder.path() / "out", "x");
  ::umask(before);
  EXPECT_EQ(std::filesystem::status(folder.path() / "out").permissions(), static_cast<std::filesystem::perms>(0640));
}

TEST(AtomicFile, TakesTheLongestNameThereIs) {
  const TemporaryFolder folder;
  const auto file = folder.path() / std::string(255, 'n');
  write_text_file(file, "x");
  EXPECT_EQ(read_text_file(file), "x");
}

TEST(AtomicFile, CannotCreateInAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "no" / "out.tsv";
  expect_error(ErrorKind::cannot_create, {file.string()}, [&] { write_text_file(file, "x"); });
  EXPECT_TRUE(folder.names().empty());
}

TEST(AtomicFile, CannotCreateBelowAFileOrWhereNobodyMay) {
  const TemporaryFolder folder;
  const auto below = folder.write("file", "x") / "out.tsv";
  expect_error(ErrorKind::cannot_create, {below.string()}, [&] { write_text_file(below, "x"); });
  expect_error(ErrorKind::cannot_create, {"/proc/out.tsv"}, [] { write_text_file("/proc/out.tsv", "x"); });
}

TEST(AtomicFile, CannotReplaceADirectoryOrWriteToNoName) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::cannot_create, {"directory"}, [&] { write_text_file(folder.path(), "x"); });
  expect_error(ErrorKind::cannot_create, {"no file name"}, [] { write_text_file("", "x"); });
}

TEST(AtomicFile, RespectsAFileThatMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write any file";
  const TemporaryFolder folder;
  const auto file = folder.write("out.tsv", "old");
  ASSERT_EQ(::chmod(file.c_str(), 0400), 0);
  expect_error(ErrorKind::cannot_create, {file.string()}, [&] { write_text_file(file, "new"); });
  EXPECT_EQ(read_text_file(file), "old");
}

TEST(AtomicFile, ADeviceIsWrittenNotReplaced) {
  EXPECT_TRUE(is_output_stream("/dev/full"));
  expect_error(ErrorKind::io, {"/dev/full", "the disk is full"}, [] { write_text_file("/dev/full", "x"); });
  struct stat status {};
  ASSERT_EQ(::stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(AtomicFile, WritesToStandardOutputAfterWhatWasPrinted) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "out";
  {
    const Redirect output(STDOUT_FILENO, file, O_WRONLY | O_CREAT);
    (void)std::fputs("printed\n", stdout);
    write_text_file("-", "written\n");
  }
  EXPECT_EQ(read_text_file(file), "printed\nwritten\n");
}

TEST(AtomicFile, AFullStandardOutputIsAnError) {
  const Redirect output(STDOUT_FILENO, "/dev/full", O_WRONLY);
  expect_error(ErrorKind::io, {"standard output", "the disk is full"}, [] { write_text_file("-", "x"); });
}

TEST(AtomicFile, AWriteThatFailsHalfWayLeavesTheOldFile) {
  const TemporaryFolder folder;
  const auto file = folder.write("out.tsv", "old");
  const std::string text(1000000, 'x');
  EXPECT_EQ(write_with_limit(65536, file.string(), [&] { write_text_file(file, text); }), 0);
  EXPECT_EQ(read_text_file(file), "old");
  EXPECT_EQ(folder.names(), Names{"out.tsv"});
}

TEST(AtomicFile, AWriteThatFailsHalfWayLeavesNoNewFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "out.tsv";
  EXPECT_EQ(write_with_limit(0, file.string(), [&] { write_text_file(file, "x"); }), 0);
  EXPECT_TRUE(folder.names().empty());
}

ScoredParticipant small_participant() {
  ScoredParticipant participant;
  participant.speakers = {"left", "right"};
  participant.trials.push_back({"", Seconds{0}, {Matrix::Constant(2, 2, 0.5), Seconds{1}}, {{0, 0}}});
  return participant;
}

TEST(AtomicFile, ATableIsNotLeftWithoutItsSidecar) {
  const TemporaryFolder folder;
  // The table has 46 bytes, the sidecar more than 200: only the second write fails.
  const auto file = folder.path() / "sub-01_scores.tsv";
  EXPECT_EQ(write_with_limit(200, "sub-01_scores.json", [&] { write_scores(file, small_participant()); }), 0);
  EXPECT_TRUE(folder.names().empty());
  std::filesystem::create_directory(folder.path() / "sub-01_scores.json");
  expect_error(ErrorKind::cannot_create, {"sub-01_scores.json"}, [&] { write_scores(file, small_participant()); });
  EXPECT_EQ(folder.names(), Names{"sub-01_scores.json"});
}

}  // namespace
}  // namespace heed::io
