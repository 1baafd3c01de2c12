// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <sys/stat.h>

#include <array>
#include <thread>

#include "support/expect_error.h"
#include "support/io_redirect.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::Redirect;
using test::TemporaryFolder;

TEST(TextFile, ReadsAllOfAFile) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "row " + std::to_string(i) + "\n";
  EXPECT_EQ(read_text_file(folder.write("a.tsv", text)), text);
  EXPECT_EQ(read_text_file(folder.write("empty.tsv", "")), "");
}

TEST(TextFile, DropsAByteOrderMarkAndKeepsLineEnds) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_text_file(folder.write("a.tsv", "\xef\xbb\xbfonset\tleft\r\n")), "onset\tleft\r\n");
}

TEST(TextFile, ReadsStandardInput) {
  const TemporaryFolder folder;
  const Redirect input(STDIN_FILENO, folder.write("in.txt", "from standard input\n"), O_RDONLY);
  EXPECT_EQ(read_text_file("-"), "from standard input\n");
}

TEST(TextFile, ReadsAPipeThatComesInPieces) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string piece(70000, 'x');
  std::thread writer([&] { std::ofstream(pipe) << piece << std::flush << piece; });
  const std::string text = read_text_file(pipe);
  writer.join();
  EXPECT_EQ(text, piece + piece);
}

TEST(TextFile, SaysWhatIsNotThere) {
  const TemporaryFolder folder;
  const auto missing = folder.path() / "missing.tsv";
  expect_error(ErrorKind::not_found, {missing.string(), "no such file"}, [&] { (void)read_text_file(missing); });
  const auto below_a_file = folder.write("file", "x") / "below.tsv";
  expect_error(ErrorKind::not_found, {below_a_file.string()}, [&] { (void)read_text_file(below_a_file); });
}

TEST(TextFile, RefusesADirectory) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::io, {folder.path().string(), "is a directory"}, [&] { (void)read_text_file(folder.path()); });
}

TEST(TextFile, SaysWhatCannotBeReadOrOpened) {
  // Reading this file at its start fails, whoever asks.
  expect_error(ErrorKind::io, {"/proc/self/mem", "cannot be read"}, [] { (void)read_text_file("/proc/self/mem"); });
  const TemporaryFolder folder;
  const auto loop = folder.path() / "loop";
  std::filesystem::create_symlink(loop, loop);
  expect_error(ErrorKind::io, {"loop", "cannot be opened"}, [&] { (void)read_text_file(loop); });
}

TEST(TextFile, StopsAtItsSizeLimit) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_text_file(folder.write("a", "12345678"), 8).size(), 8U);
  expect_error(ErrorKind::unsupported, {"more than 8 bytes"},
               [&] { (void)read_text_file(folder.write("b", "123456789"), 8); });
  expect_error(ErrorKind::unsupported, {"/dev/zero"}, [] { (void)read_text_file("/dev/zero", 1000000); });
}

TEST(TextFile, RefusesNulBytesWithTheRow) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.tsv", std::string_view("one\ntwo\nth\0ee\n", 14));
  expect_error(ErrorKind::bad_data, {file.string(), "row 3", "NUL"}, [&] { (void)read_text_file(file); });
}

TEST(TextFile, TakesUtf8AndNothingElse) {
  const TemporaryFolder folder;
  // Two, three and four bytes; the first and last code points of each length.
  const std::array<std::string, 9> good{"m\xc3\xa4nnlich",  "\xc2\x80",         "\xdf\xbf",
                                        "\xe0\xa0\x80",     "\xed\x9f\xbf",     "\xee\x80\x80",
                                        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xe2\x82\xac"};
  for (const std::string& text : good) EXPECT_EQ(read_text_file(folder.write("a", text)), text);
  // A lone continuation, Latin-1, overlong forms, a surrogate, beyond U+10FFFF, cut short, a bad byte inside.
  const std::array<std::string, 11> bad{"\x80",         "m\xe4nnlich",      "\xc0\x80",        "\xc1\xbf",
                                        "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80",    "\xf4\x90\x80\x80",
                                        "\xe2\x82",     "\xf5\x80\x80\x80", "\xe2\x28\xa1 and"};
  for (const std::string& text : bad) {
    expect_error(ErrorKind::bad_data, {"row 2", "UTF-8"},
                 [&] { (void)read_text_file(folder.write("a", "x\n" + text)); });
  }
}

}  // namespace
}  // namespace heed::io
