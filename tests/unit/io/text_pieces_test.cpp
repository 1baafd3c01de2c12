// SPDX-License-Identifier: MIT
// Text in pieces holds the lines of the whole text, wherever pieces and reads end, and is checked as the whole is.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/io/score_tables.h>
#include <io/text_pieces.h>
#include <io/tsv.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/io_redirect.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::Redirect;
using test::TemporaryFolder;

std::vector<std::string> lines_of(LineReader reader) {
  std::vector<std::string> lines;
  while (reader.next()) {
    lines.emplace_back(reader.line());
    EXPECT_EQ(reader.row(), lines.size());
  }
  return lines;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  TextPieces pieces(file);
  return lines_of(LineReader(pieces));
}

// Lines of all lengths, blank ones among them, ended in every way.
std::string random_text(std::uint64_t seed, std::size_t lines, double longest) {
  constexpr std::array ends{"\n", "\r\n", "\n\n", "\n\r\n", "\r\r\n", "\n\n\n\n"};
  RandomStream random(seed);
  std::string text;
  for (std::size_t k = 0; k < lines; ++k) {
    text.append(static_cast<std::size_t>(longest * random.uniform()), static_cast<char>('a' + (k % 26)));
    text += ends[static_cast<std::size_t>(random.uniform() * static_cast<double>(ends.size()))];
  }
  return text;
}

TEST(TextPieces, AreTheLinesOfTheWhole) {
  const TemporaryFolder folder;
  for (const std::string_view text : {"", "\n", "\r\n\n", "a", "a\n", "a\r\n", "a\n\n\r\n", "\n\na", "a\n\nb", "a\r",
                                      "\ra", "a\r\r\n", "\xef\xbb\xbfonset\tleft\n1\t2", "\xef\xbb\xbf"}) {
    const auto file = folder.write("a.tsv", text);
    EXPECT_EQ(lines_of(file), lines_of(LineReader(read_text_file(file)))) << testing::PrintToString(text);
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto file = folder.write("a.tsv", random_text(seed, 3000, 3000));  // a few pieces
    EXPECT_EQ(lines_of(file), lines_of(LineReader(read_text_file(file)))) << seed;
  }
}

TEST(TextPieces, ComeThroughAPipeAsItGivesThem) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = "\xef\xbb\xbf" + random_text(6, 200, 20);
  std::thread writer([&] {
    std::ofstream stream(pipe);
    for (const char byte : text) stream << byte << std::flush;
  });
  const auto lines = lines_of(pipe);
  writer.join();
  EXPECT_EQ(lines, lines_of(LineReader(std::string_view(text).substr(3))));
}

TEST(TextPieces, AreReadFromStandardInput) {
  const TemporaryFolder folder;
  const Redirect input(STDIN_FILENO, folder.write("in.txt", "onset\tleft\n"), O_RDONLY);
  EXPECT_EQ(lines_of(std::filesystem::path("-")), std::vector<std::string>{"onset\tleft"});
}

TEST(TextPieces, SayWhatIsWrongWithTheRow) {
  const TemporaryFolder folder;
  const std::string good(4'000'000, 'x');
  const auto refused = [&](const std::string& text, std::initializer_list<std::string_view> words) {
    const auto file = folder.write("a.tsv", text);
    expect_error(ErrorKind::bad_data, words, [&] { (void)lines_of(file); });
  };
  refused("one\n" + good + "\nth" + std::string(1, '\0') + "ee\n", {"row 3", "NUL"});
  refused("one\n" + good + "\n\nm\xe4nnlich", {"row 4", "UTF-8"});
  expect_error(ErrorKind::io, {"cannot be read"}, [&] { (void)lines_of(std::filesystem::path("/proc/self/mem")); });
  expect_error(ErrorKind::not_found, {"nowhere", "no such file"}, [&] { (void)lines_of(folder.path() / "nowhere"); });
}

TEST(TextPieces, DoNotHoldAnEndlessLine) {
  expect_error(ErrorKind::unsupported, {"row 1 holds more than 5000000 bytes"}, [] {
    TextPieces pieces("/dev/zero", 5'000'000);
    (void)pieces.next();
  });
}

TEST(TextPieces, AFileOfScoresIsNamedOnceInWhatIsWrong) {
  const TemporaryFolder folder;
  const auto file = folder.write("sub-1_scores.tsv", "left\tright\n1\t2\n1\tx\n");
  expect_error(ErrorKind::bad_data, {file.string() + ": row 3, column right: 'x'"}, [&] { (void)read_scores(file); });
  const auto broken = folder.write("sub-2_scores.tsv", "left\tright\n1\t\xff\n");
  expect_error(ErrorKind::bad_data, {broken.string() + ": row 2 is not UTF-8"}, [&] { (void)read_scores(broken); });
}

}  // namespace
}  // namespace heed::io
