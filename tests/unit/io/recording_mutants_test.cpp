// SPDX-License-Identifier: MIT
// Recordings broken in thousands of ways: each is refused with a heed::Error that names its file, or read into
// something the file has room for. Never with more memory than three times the file and a constant.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/recording_file.h>

#include <cmath>
#include <numeric>
#include <set>

#include "support/allocation_counter.h"
#include "support/brainvision_bytes.h"
#include "support/edf_bytes.h"
#include "support/io_temporary_folder.h"
#include "support/mutants.h"

namespace heed::io {
namespace {

using test::annotation_list;
using test::BrainVisionBytes;
using test::EdfBytes;
using test::for_each_mutant;
using test::for_each_truncation;
using test::TemporaryFolder;

// Room for paths, messages, and the thousand events every file may have.
constexpr std::size_t constant_memory = std::size_t{256} << 10U;
constexpr std::size_t mutants = 5000;

void expect_named(const Error& error, const std::filesystem::path& file) {
  EXPECT_NE(std::string(error.what()).find((file.parent_path() / file.stem()).string()), std::string::npos)
      << error.what();
}

// Everything the header promises must be in the file.
void expect_consistent(const RecordingHeader& header, std::size_t size, std::size_t narrowest_sample) {
  double stored = 0;
  std::set<std::string> names;
  for (const RecordedChannel& channel : header.channels) {
    EXPECT_GT(channel.sampling_frequency.value, 0);
    EXPECT_TRUE(names.insert(channel.name).second) << channel.name;
    stored +=
        static_cast<double>(header.samples) * (channel.sampling_frequency.value / header.sampling_frequency.value);
  }
  EXPECT_LE(stored * static_cast<double>(narrowest_sample), static_cast<double>(size) * (1 + 1e-9));
  Index covered = 0;
  for (const RecordingSegment& segment : header.segments) {
    EXPECT_EQ(segment.first_sample, covered);
    EXPECT_GT(segment.samples, 0);
    covered += segment.samples;
  }
  EXPECT_EQ(covered, header.samples);
  EXPECT_TRUE(std::ranges::is_sorted(header.events, {}, &RecordingEvent::onset));
  for (const RecordingEvent& event : header.events)
    EXPECT_TRUE(std::isfinite(event.onset.value) && event.duration.value >= 0);
}

// A file that is not there is written much faster than one that is there is replaced.
std::filesystem::path write_new(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
  std::filesystem::remove(folder.path() / name);
  return folder.write(name, bytes);
}

// Counts how many files were read and how many refused, so that a test that never reads anything is noticed.
struct Outcome {
  int read = 0;
  int refused = 0;
};

void read_whole(const std::filesystem::path& file, std::size_t size, std::size_t narrowest_sample, Outcome& outcome) {
  const test::AllocationCount allocations;
  try {
    const RecordingHeader header = read_recording_header(file);
    expect_consistent(header, size, narrowest_sample);
    const Recording recording = read_recording(file);
    EXPECT_EQ(recording.samples.rows(), header.samples);
    ++outcome.read;
  } catch (const Error& error) {
    expect_named(error, file);
    ++outcome.refused;
  }
  EXPECT_LE(allocations.peak_bytes(), 3 * size + constant_memory);
}

EdfBytes small_edf(bool bdf) {
  const std::string name = bdf ? "BDF" : "EDF";
  EdfBytes file{.bdf = bdf, .reserved = name + "+C", .records = 3};
  file.signals.push_back({.label = "Fz", .values = {1, -2, 3, -4, 5, -6, 7, -8, 9, 10, 11, 12}});
  file.signals.push_back({.label = "slow", .samples = 2, .values = {100, 200, 300, 400, 500, 600}});
  file.signals.push_back({.label = "Status", .values = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 5, 0}});
  file.signals.push_back(
      {.label = name + " Annotations",
       .samples = 16,
       .texts = {annotation_list("+0", {""}) + annotation_list("+0.5\x15"
                                                               "1",
                                                               {"left"}),
                 annotation_list("+1", {""}), annotation_list("+2", {""}) + annotation_list("+2.5", {"a", "b"})}});
  return file;
}

class EdfMutants : public ::testing::TestWithParam<bool> {
 protected:
  void use(const std::string& bytes) {
    const auto file = write_new(folder_, "mutant.edf", bytes);
    read_whole(file, bytes.size(), GetParam() ? 3 : 2, outcome_);
  }
  TemporaryFolder folder_;
  Outcome outcome_;
};

TEST_P(EdfMutants, AreRefusedOrRead) {
  for_each_mutant(small_edf(GetParam()).bytes(), mutants, 1, [&](const std::string& bytes) { use(bytes); });
  EXPECT_GT(outcome_.read, 500);
  EXPECT_GT(outcome_.refused, 500);
}

TEST_P(EdfMutants, OfDiscontinuousFilesAreRefusedOrRead) {
  EdfBytes file = small_edf(GetParam());
  file.reserved.back() = 'D';
  file.signals.back().texts[2] = annotation_list("+7", {""});
  for_each_mutant(file.bytes(), 1000, 2, [&](const std::string& bytes) { use(bytes); });
  EXPECT_GT(outcome_.refused, 500);
}

TEST_P(EdfMutants, CutShortAreRefusedOrRead) {
  const std::string bytes = small_edf(GetParam()).bytes();
  for_each_truncation(bytes, 1, [&](const std::string& cut) { use(cut); });
  EXPECT_GT(outcome_.read, 10);
  EXPECT_GT(outcome_.refused, 1000);
}

TEST_P(EdfMutants, OfLargerFilesCostNoMoreThanThreeTimesTheFile) {
  EdfBytes file{.bdf = GetParam(), .records = 20};
  for (int c = 0; c < 40; ++c) file.signals.push_back({.label = "c" + std::to_string(c), .samples = 512});
  file.signals.push_back({.label = "Status", .samples = 512});
  for (int i = 0; i < 20 * 512; ++i) file.signals.back().values.push_back(i % 100);
  for_each_mutant(file.bytes(), 60, 3, [&](const std::string& bytes) { use(bytes); });
  for_each_truncation(file.bytes(), std::size_t{256} * 101, [&](const std::string& cut) { use(cut); });
  EXPECT_GT(outcome_.read, 10);
}

TEST_P(EdfMutants, MadeOfEventsOnlyCostNoMoreThanThreeTimesTheFile) {
  EdfBytes file{.bdf = GetParam(), .records = 2, .signals = {{.label = "a", .samples = 1}}};
  const std::string name = GetParam() ? "BDF Annotations" : "EDF Annotations";
  std::string lists = annotation_list("+0", {""}) + "+1\x14";
  for (int i = 0; i < 200'000; ++i) lists += "x\x14";
  file.signals.push_back({.label = name, .samples = 200'000, .texts = {lists, lists}});
  file.signals.push_back({.label = "Status", .samples = 100'000});
  for (int i = 0; i < 200'000; ++i) file.signals.back().values.push_back(i % 60'000);
  use(file.bytes());
  EXPECT_EQ(outcome_.read, 1);
}

INSTANTIATE_TEST_SUITE_P(Formats, EdfMutants, ::testing::Values(false, true),
                         [](const auto& format) { return format.param ? "Bdf" : "Edf"; });

class BrainVisionMutants : public ::testing::Test {
 protected:
  void use(const std::string& header, const std::string& markers, const std::string& data) {
    const auto file = write_new(folder_, "mutant.vhdr", header);
    write_new(folder_, "mutant.vmrk", markers);
    write_new(folder_, "mutant.eeg", data);
    read_whole(file, header.size() + markers.size() + data.size(), 2, outcome_);
  }
  TemporaryFolder folder_;
  Outcome outcome_;
  BrainVisionBytes good_{.data_file = "mutant.eeg", .marker_file = "mutant.vmrk", .points = "4"};
};

TEST_F(BrainVisionMutants, OfTheHeaderAreRefusedOrRead) {
  for (const std::string orientation : {"MULTIPLEXED", "VECTORIZED"}) {
    good_.orientation = orientation;
    for_each_mutant(good_.header(), mutants / 2, 4,
                    [&](const std::string& header) { use(header, good_.markers, good_.data); });
  }
  EXPECT_GT(outcome_.read, 500);
  EXPECT_GT(outcome_.refused, 500);
}

TEST_F(BrainVisionMutants, OfMarkersAreRead) {
  for_each_mutant(good_.markers, mutants, 5,
                  [&](const std::string& markers) { use(good_.header(), markers, good_.data); });
  EXPECT_EQ(outcome_.refused, 0);
}

TEST_F(BrainVisionMutants, CutShortAreRefusedOrRead) {
  for_each_truncation(good_.header(), 1, [&](const std::string& header) { use(header, good_.markers, good_.data); });
  for_each_truncation(good_.markers, 1, [&](const std::string& markers) { use(good_.header(), markers, good_.data); });
  for_each_truncation(good_.data, 1, [&](const std::string& data) { use(good_.header(), good_.markers, data); });
  EXPECT_GT(outcome_.read, 100);
  EXPECT_GT(outcome_.refused, 100);
}

TEST_F(BrainVisionMutants, MadeOfMarkersOnlyCostNoMoreThanThreeTimesTheFiles) {
  std::string markers = "[Marker Infos]\n";
  for (int i = 0; i < 100'000; ++i) markers += "M=,,1\n";
  use(good_.header(), markers, good_.data);
  markers = "[Marker Infos]\n";
  for (int i = 0; i < 50'000; ++i) markers += "M=New Segment,," + std::to_string(i) + "\n";
  use(good_.header(), markers, std::string(600'000, 'x'));
  EXPECT_EQ(outcome_.read, 2);
}

TEST_F(BrainVisionMutants, MadeOfChannelsOnlyCostNoMoreThanThreeTimesTheFilesAndTwoMegabytes) {
  // As many channels as heed reads: what their names and units take is bounded whatever the file's size.
  good_.channels = "";
  for (int c = 1; c <= 4096; ++c) good_.channels += "Ch" + std::to_string(c) + "=\n";
  good_.count = "4096";
  const std::string data(std::size_t{4096} * 8, 'x');
  const auto file = write_new(folder_, "mutant.vhdr", good_.header());
  write_new(folder_, "mutant.eeg", data);
  const test::AllocationCount allocations;
  EXPECT_EQ(read_recording_header(file).samples, 4);
  EXPECT_LE(allocations.peak_bytes(), 3 * (good_.header().size() + data.size()) + (std::size_t{2} << 20U));
}

}  // namespace
}  // namespace heed::io
