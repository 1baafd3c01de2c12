// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>
#include <live/sinks/open_sink.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::live {
namespace {

SinkRequest request_for(const std::filesystem::path& path) {
  return {.address = parse_address("tsv:" + path.string(), EndKind::sink),
          .stream = {.name = "test", .speakers = {"left", "right"}},
          .window = {1},
          .switch_probability = 0.001,
          .emission = "none"};
}

Decision decision_of(Index window, std::span<const double> posterior) {
  return {.window = window, .onset = {static_cast<double>(window)}, .posterior = posterior, .decision = 0};
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PosteriorTable, IsThereRowByRow) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "live.tsv";
  const auto sink = open_posterior_table(request_for(path));
  EXPECT_EQ(text_of(path), "onset\tleft\tright\tdecision\n");
  const std::array<double, 2> posterior{0.75, 0.25};
  sink->decided(decision_of(0, posterior));
  EXPECT_EQ(text_of(path), "onset\tleft\tright\tdecision\n0\t0.75\t0.25\tleft\n");
  sink->decided(decision_of(1, posterior));
  sink->finish();
  const io::PosteriorFile read = io::read_posteriors(path);
  EXPECT_EQ(read.participant.trials.front().posteriors.values.rows(), 2);
  EXPECT_TRUE(read.warnings.empty());
}

// At any moment: what was decided before is there, and the file opens.
TEST(PosteriorTable, SurvivesBeingKilled) {
  const test::TemporaryFolder folder;
  for (int round = 0; round < 100; ++round) {
    const auto path = folder.path() / "live.tsv";
    std::array<int, 2> told{};
    ASSERT_EQ(::pipe(told.data()), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto sink = open_posterior_table(request_for(path));
      const std::array<double, 2> posterior{0.75, 0.25};
      for (Index window = 0;; ++window) {
        sink->decided(decision_of(window, posterior));
        const char done = 1;
        if (::write(told[1], &done, 1) != 1) ::_exit(1);
      }
    }
    ::close(told[1]);
    char done = 0;
    int decided = 0;
    while (decided < 1 + (round * 7 % 50) && ::read(told[0], &done, 1) == 1) ++decided;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(told[0], &done, 1) == 1) ++decided;
    ::close(told[0]);
    std::string table = text_of(path);
    table.resize(table.rfind('\n') + 1);  // a row that was being written may be cut
    const auto rows = std::ranges::count(table, '\n') - 1;
    EXPECT_GE(rows, decided);
    EXPECT_EQ(io::parse_posteriors(table).participant.trials.front().posteriors.values.rows(), rows);
  }
}

TEST(PosteriorTable, SaysWhereItCannotBe) {
  const test::TemporaryFolder folder;
  test::expect_error(ErrorKind::cannot_create, {"no/live"},
                     [&] { (void)open_posterior_table(request_for(folder.path() / "no" / "live.tsv")); });
  test::expect_error(ErrorKind::invalid_argument, {"end it with .tsv"},
                     [&] { (void)open_posterior_table(request_for(folder.path() / "live.json")); });
}

}  // namespace
}  // namespace heed::live
