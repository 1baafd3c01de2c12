// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/prepared_file.h>

#include <fstream>
#include <string>

#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

PreparedRun small_run() {
  PreparedRun run{.name = "sub-01_task-attend_run-01",
                  .sampling_frequency = Hertz{64},
                  .channels = {"Fz", "Cz"},
                  .speakers = {"left", "right"},
                  .notes = {"channel Oz was flat"}};
  PreparedTrial trial{.name = "a",
                      .onset = Seconds{0.1},
                      .eeg = SampleMatrix{{1, 2}, {3, 4}, {-5, 1.0F / 3}},
                      .stimuli = {SampleMatrix{{1}, {2}, {3}}, SampleMatrix{{4}, {5}, {6}}},
                      .attention = {{{0, 2}, 1}},
                      .missing = {{2, 1}}};
  run.trials = {
      trial,
      PreparedTrial{.name = "empty", .eeg = SampleMatrix(0, 2), .stimuli = {SampleMatrix(0, 1), SampleMatrix(0, 1)}}};
  return run;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PreparedFile, ReadsBackToTheBit) {
  const test::TemporaryFolder folder;
  const PreparedRun run = small_run();
  write_prepared(folder.path() / "run", run);
  const auto read = read_prepared(folder.path() / "run");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->name, run.name);
  EXPECT_EQ(read->sampling_frequency, run.sampling_frequency);
  EXPECT_EQ(read->channels, run.channels);
  EXPECT_EQ(read->speakers, run.speakers);
  EXPECT_EQ(read->notes, run.notes);
  ASSERT_EQ(read->trials.size(), 2U);
  EXPECT_EQ(read->trials[0].eeg, run.trials[0].eeg);
  EXPECT_EQ(read->trials[0].stimuli, run.trials[0].stimuli);
  EXPECT_EQ(read->trials[0].onset, run.trials[0].onset);
  EXPECT_EQ(read->trials[0].missing, run.trials[0].missing);
  EXPECT_EQ(read->trials[0].attention.at(0).speaker, 1);
  EXPECT_EQ(read->trials[1].name, "empty");
}

TEST(PreparedFile, NothingWhereThereIsNoFile) { EXPECT_FALSE(read_prepared("/nowhere/run").has_value()); }

TEST(PreparedFile, NoCutAndNoFlippedByteIsTrusted) {
  const test::TemporaryFolder folder;
  write_prepared(folder.path() / "run", small_run());
  const std::string whole = bytes_of(folder.path() / "run");
  for (std::size_t k = 0; k < whole.size(); ++k) {
    std::string flipped = whole;
    flipped[k] = static_cast<char>(flipped[k] ^ 1);
    folder.write("flipped", flipped);
    EXPECT_FALSE(read_prepared(folder.path() / "flipped").has_value()) << "byte " << k;
    folder.write("cut", whole.substr(0, k));
    EXPECT_FALSE(read_prepared(folder.path() / "cut").has_value()) << "after byte " << k;
  }
}

}  // namespace
}  // namespace heed::io
