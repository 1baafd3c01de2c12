// SPDX-License-Identifier: MIT
// A week of quarter-second windows with 24 features: more than 1 GiB of text, which is not held as a whole.
#include <gtest/gtest.h>
#include <heed/io/score_tables.h>
#include <io/tsv.h>
#include <sys/resource.h>

#include <fstream>

#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

constexpr Index windows = 7 * 24 * 3600 * 4;
constexpr Index features = 24;

double feature(Index window, Index column) {
  return static_cast<double>(((window * features + column) * 7919) % 1'000'003) / 1'000'003 - 0.5;
}

void write_week(const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  std::string rows = "onset\tattended";
  for (Index column = 0; column < features; ++column) rows += "\tfeature" + std::to_string(column);
  for (Index window = 0; window < windows; ++window) {
    rows += "\n" + std::to_string(window / 4) +
            (window % 4 == 0   ? ""
             : window % 4 == 1 ? ".25"
             : window % 4 == 2 ? ".5"
                               : ".75");
    rows += window % 1000 < 500 ? "\tleft" : "\tright";
    for (Index column = 0; column < features; ++column) {
      rows += '\t';
      append_number(rows, feature(window, column), 17);
    }
    if (rows.size() < 1U << 20U) continue;
    file << rows;
    rows.clear();
  }
  file << rows << "\n";
  ASSERT_TRUE(file.flush());
}

double peak_memory() {  // bytes
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024 * static_cast<double>(usage.ru_maxrss);
}

TEST(TextPiecesSlow, AWeekOfQuarterSecondWindows) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "sub-1_scores.tsv";
  write_week(path);
  const auto size = static_cast<double>(std::filesystem::file_size(path));
  ASSERT_GT(size, 1.05 * (1U << 30U));
  const ScoreFile file = read_scores(path, {.states = {"left", "right"}});
  ASSERT_EQ(file.participant.trials.size(), 1U);
  const ScoredTrial& trial = file.participant.trials.front();
  ASSERT_EQ(trial.scores.values.rows(), windows);
  EXPECT_EQ(trial.scores.hop, Seconds{0.25});
  Index wrong = 0;
  for (Index window = 0; window < windows; ++window) {
    for (Index column = 0; column < features; ++column) {
      wrong += static_cast<Index>(trial.scores.values(window, column) != feature(window, column));
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LT(peak_memory(), 1.5 * size);  // what the numbers take three times over, and no text
  RecordProperty("bytes", std::to_string(size));
  RecordProperty("peak_memory", std::to_string(peak_memory()));
}

}  // namespace
}  // namespace heed::io
