// SPDX-License-Identifier: MIT
// Parts of recordings, and what is no recording. The formats have tests of their own.
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include "support/allocation_counter.h"
#include "support/edf_bytes.h"
#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::EdfBytes;
using test::expect_error;
using test::TemporaryFolder;

// Channel k of `channels` holds 1000 k + t at sample t.
EdfBytes counting(int channels, int records, int samples) {
  EdfBytes file{.records = records};
  for (int k = 0; k < channels; ++k) {
    file.signals.push_back({.label = "ch" + std::to_string(k), .samples = samples});
    for (int t = 0; t < records * samples; ++t) file.signals.back().values.push_back(1000 * k + t);
  }
  return file;
}

TEST(RecordingFile, KnowsRecordingsByTheirEnding) {
  for (const char* name : {"a.bdf", "a.EDF", "a.vhdr", "a.ahdr"}) EXPECT_TRUE(is_recording_file(name)) << name;
  for (const char* name : {"a.eeg", "a.vmrk", "a.tsv", "bdf", "a.wav"}) EXPECT_FALSE(is_recording_file(name)) << name;
}

RC_GTEST_PROP(RecordingFile, APartIsThatPartOfTheWhole, ()) {
  // Small records are fetched together, large ones in slices: both ways must give the same.
  const int samples = *rc::gen::element(3, 8, 2500);
  const int records = *rc::gen::inRange(1, 6);
  const int channels = *rc::gen::inRange(1, 5);
  const TemporaryFolder folder;
  const auto file = folder.write("a.edf", counting(channels, records, samples).bytes());
  const Recording whole = read_recording(file);
  const int total = records * samples;
  const int from = *rc::gen::inRange(0, total);
  const int to = *rc::gen::inRange(from + 1, total + 1);
  const int channel = *rc::gen::inRange(0, channels);
  const double rate = samples;
  const Recording part = read_recording(
      file, {.channels = {"ch" + std::to_string(channel)}, .from = Seconds{from / rate}, .to = Seconds{to / rate}});
  RC_ASSERT(part.samples.rows() == to - from);
  RC_ASSERT(part.onset == Seconds{from / rate});
  RC_ASSERT(part.samples.col(0) == whole.samples.col(channel).segment(from, to - from));
  for (int t = 0; t < total; ++t)
    RC_ASSERT(whole.samples(t, channel) == static_cast<float>(static_cast<std::int16_t>(1000 * channel + t)));
}

TEST(RecordingFile, TwoThreadsReadWhatOneReads) {
  // Beyond 8 MB the records are shared out; parts of a second are read by one thread.
  const TemporaryFolder folder;
  const auto file = folder.write("a.edf", counting(50, 11, 8192).bytes());
  const Recording whole = read_recording(file);
  ASSERT_EQ(whole.samples.rows(), 11 * 8192);
  for (Index second = 0; second < 11; ++second) {
    const auto from = static_cast<double>(second);
    const Recording part = read_recording(file, {.channels = {}, .from = Seconds{from}, .to = Seconds{from + 1}});
    EXPECT_EQ(part.samples, whole.samples.middleRows(second * 8192, 8192)) << second;
  }
}

TEST(RecordingFile, TakesChannelsInTheOrderAsked) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.edf", counting(3, 1, 4).bytes());
  const Recording found = read_recording(file, {.channels = {"ch2", "ch0"}, .from = {}, .to = {}});
  EXPECT_EQ(found.channels.at(0).name, "ch2");
  EXPECT_EQ(found.samples(1, 0), 2001);
  EXPECT_EQ(found.samples(1, 1), 1);
  expect_error(ErrorKind::not_found, {"there is no channel 'Cz'; the recording has ch0, ch1"},
               [&] { (void)read_recording(file, {.channels = {"Cz"}, .from = {}, .to = {}}); });
  expect_error(ErrorKind::invalid_argument, {"asked for twice"}, [&] {
    (void)read_recording(file, {.channels = {"ch1", "ch1"}, .from = {}, .to = {}});
  });
}

TEST(RecordingFile, ReadsOneRateAtATime) {
  const TemporaryFolder folder;
  EdfBytes bytes = counting(3, 2, 4);
  bytes.signals[1].samples = 2;
  bytes.signals[1].values = {1, 2, 3, 4};
  const auto file = folder.write("a.edf", bytes.bytes());
  EXPECT_EQ(read_recording_header(file).channels[1].sampling_frequency, Hertz{2});
  EXPECT_EQ(read_recording(file).channels.size(), 2U);
  const Recording slow = read_recording(file, {.channels = {"ch1"}, .from = Seconds{0.5}, .to = Seconds{2}});
  EXPECT_EQ(slow.sampling_frequency, Hertz{2});
  EXPECT_EQ(slow.samples.transpose(), (Eigen::RowVector3f{2, 3, 4}));
  expect_error(ErrorKind::bad_data, {"ch0 has 4 Hz, but ch1 (2 Hz)"}, [&] {
    (void)read_recording(file, {.channels = {"ch0", "ch1"}, .from = {}, .to = {}});
  });
}

TEST(RecordingFile, CutsThePartToWhatThereIs) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.edf", counting(1, 2, 4).bytes());
  const Recording all = read_recording(file, {.channels = {}, .from = Seconds{-5}, .to = Seconds{1e9}});
  EXPECT_EQ(all.samples.rows(), 8);
  EXPECT_EQ(all.onset, Seconds{0});
  // Between two samples: the next one. Written with few digits: the one that was meant.
  EXPECT_EQ(read_recording(file, {.channels = {}, .from = Seconds{0.3}, .to = {}}).onset, Seconds{0.5});
  EXPECT_EQ(read_recording(file, {.channels = {}, .from = Seconds{0.2500000001}, .to = {}}).onset, Seconds{0.25});
  expect_error(ErrorKind::invalid_argument, {"no samples from 3 s to the end; the recording has 0 to 2 s"},
               [&] { (void)read_recording(file, {.channels = {}, .from = Seconds{3}, .to = {}}); });
  expect_error(ErrorKind::invalid_argument, {"no samples"},
               [&] { (void)read_recording(file, {.channels = {}, .from = Seconds{1}, .to = Seconds{1}}); });
}

TEST(RecordingFile, APartCostsOnlyThatPart) {
  // One of 200 channels for one of 50 seconds: of 20 MB it may take a hundred thousandth and some bookkeeping.
  const TemporaryFolder folder;
  EdfBytes bytes{.records = 50};
  for (int k = 0; k < 200; ++k) bytes.signals.push_back({.label = "c" + std::to_string(k), .samples = 1000});
  const auto file = folder.write("a.edf", bytes.bytes());
  const test::AllocationCount allocations;
  const Recording part = read_recording(file, {.channels = {"c150"}, .from = Seconds{20}, .to = Seconds{21}});
  EXPECT_EQ(part.samples.size(), 1000);
  EXPECT_LT(allocations.peak_bytes(), 400'000U);  // the header of 200 channels is 51 kB
}

TEST(RecordingFile, StaysOpenWhileItIsReadInPieces) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.edf", counting(2, 6, 4).bytes());
  const RecordingFile file = RecordingFile::open(path);
  const Recording whole = file.read();
  std::filesystem::remove(path);  // what is open needs no name
  for (const double from : {0.0, 1.0, 3.5}) {
    const Recording part = file.read({.channels = {"ch1"}, .from = Seconds{from}, .to = Seconds{from + 2}});
    EXPECT_EQ(part.samples, whole.samples.block(static_cast<Index>(4 * from), 1, 8, 1)) << from;
  }
  EXPECT_EQ(file.header().samples, 24);
  EXPECT_EQ(file.files(), std::vector{path});
}

TEST(RecordingFile, TellsWhichFileToGive) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::unsupported, {"give its header, " + (folder.path() / "x.vhdr").string()},
               [&] { (void)read_recording_header(folder.write("x.eeg", "samples")); });
  expect_error(ErrorKind::unsupported, {"give its header"},
               [&] { (void)read_recording_header(folder.write("x.vmrk", "samples")); });
  expect_error(ErrorKind::unsupported, {"not a recording that heed can read", ".vhdr, .ahdr, .bdf", ".set", ".fif"},
               [&] { (void)read_recording_header(folder.write("x.cnt", "samples")); });
  const auto pipe = folder.path() / "pipe.edf";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_error(ErrorKind::io, {"is not a regular file"}, [&] { (void)read_recording_header(pipe); });
}

}  // namespace
}  // namespace heed::io
