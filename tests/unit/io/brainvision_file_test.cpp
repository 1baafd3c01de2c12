// SPDX-License-Identifier: MIT
// BrainVision as three files hold it: the expected numbers follow from the bytes put together here.
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>

#include <cstring>

#include "support/brainvision_bytes.h"
#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::BrainVisionBytes;
using test::expect_error;
using test::TemporaryFolder;

class BrainVisionFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path write() const {
    if (!file_.data.empty()) folder_.write("a.eeg", file_.data);
    if (!file_.markers.empty()) folder_.write("a.vmrk", file_.markers);
    return folder_.write("a.vhdr", file_.header());
  }
  void refused(const std::string& words, ErrorKind kind = ErrorKind::bad_data) const {
    expect_error(kind, {words, "a.vhdr"}, [&] { (void)read_recording_header(write()); });
  }

  TemporaryFolder folder_;
  BrainVisionBytes file_;
};

TEST_F(BrainVisionFile, SaysWhatIsInIt) {
  const RecordingHeader found = read_recording_header(write());
  EXPECT_EQ(found.format, "BrainVision");
  EXPECT_EQ(found.sampling_frequency, Hertz{200});
  EXPECT_EQ(found.samples, 4);
  EXPECT_EQ(found.start, "2026-11-15T09:30:00.250000");
  ASSERT_EQ(found.channels.size(), 3U);
  EXPECT_EQ(found.channels[0].unit, "µV");  // not said: the format's default
  EXPECT_EQ(found.channels[1].name, "left, mastoid");
  EXPECT_EQ(found.channels[1].unit, "µV");
  EXPECT_EQ(found.channels[2].unit, "C");
  EXPECT_TRUE(found.notes.empty());
  ASSERT_EQ(found.events.size(), 3U);
  EXPECT_EQ(found.events[0].description, "New Segment/");
  EXPECT_EQ(found.events[1].onset, Seconds{0.005});
  EXPECT_EQ(found.events[1].duration, Seconds{0.01});
  EXPECT_EQ(found.events[1].description, "Stimulus/S  1");
  EXPECT_EQ(found.events[2].description, "Comment/one, two");
}

TEST_F(BrainVisionFile, ReadsEveryEncodingInBothOrders) {
  // Channel by channel: 1 2 3 4, then -1 -2 -3 -4, then 10 20 30 40; resolutions 1, 0.5 and 2.
  SampleMatrix expected(4, 3);
  expected << 1, -.5F, 20, 2, -1, 40, 3, -1.5F, 60, 4, -2, 80;
  for (const std::string format : {"INT_16", "INT_32", "IEEE_FLOAT_32"}) {
    for (const bool multiplexed : {true, false}) {
      file_.format = format;
      file_.orientation = multiplexed ? "MULTIPLEXED" : "VECTORIZED";
      file_.data = test::brainvision_data(format, multiplexed, {{1, 2, 3, 4}, {-1, -2, -3, -4}, {10, 20, 30, 40}});
      EXPECT_EQ(read_recording(write()).samples, expected) << format << multiplexed;
      const Recording part =
          read_recording(write(), {.channels = {"Temp", "Fz"}, .from = Seconds{0.01}, .to = Seconds{0.015}});
      EXPECT_EQ(part.samples, (Eigen::RowVector2f{60, 3})) << format << multiplexed;
    }
  }
}

TEST_F(BrainVisionFile, ReadsOldCodePages) {
  file_.channels =
      "Ch1=F\xe9,,1,\xb5V\nCh2=b,,1,\xb5V\nCh3=c,,1,\xb0"
      "C\n";
  file_.codepage = "ANSI";
  const RecordingHeader ansi = read_recording_header(write());
  EXPECT_EQ(ansi.channels[0].name, "Fé");
  EXPECT_EQ(ansi.channels[0].unit, "µV");
  EXPECT_EQ(ansi.channels[2].unit, "°C");
  file_.codepage = "";  // told by the bytes
  EXPECT_EQ(read_recording_header(write()).channels[0].name, "Fé");
  file_.codepage = "UTF-8";  // not true
  EXPECT_EQ(read_recording_header(write()).channels[0].name, "Fé");
}

TEST_F(BrainVisionFile, FindsFilesThatWereRenamed) {
  file_.data_file = "before.eeg";
  file_.marker_file = "C:\\lab\\before.vmrk";
  const RecordingHeader found = read_recording_header(write());
  EXPECT_EQ(found.samples, 4);
  EXPECT_EQ(found.events.size(), 3U);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_EQ(found.notes[0], "the header names before.eeg; a.eeg is read instead");
  file_.data_file = "$b.eeg";
  file_.marker_file = "$b.vmrk";
  EXPECT_TRUE(read_recording_header(write()).notes.empty());
}

TEST_F(BrainVisionFile, ReadsWithoutMarkers) {
  file_.markers = "";
  const RecordingHeader found = read_recording_header(write());
  EXPECT_TRUE(found.events.empty());
  EXPECT_FALSE(found.start);
  EXPECT_EQ(found.notes, std::vector<std::string>{"the marker file a.vmrk is missing: no events are read"});
}

TEST_F(BrainVisionFile, LeavesOutDamagedMarkers) {
  file_.markers =
      "[Marker "
      "Infos]\nMk1=Stimulus,a,x,1,0\nMk2=Stimulus\nMk3=Stimulus,b,0,,0\nMk4=Stimulus,c,99999999999999999999,1\nMk5=a,b,"
      "3,-4\n";
  const RecordingHeader found = read_recording_header(write());
  ASSERT_EQ(found.events.size(), 2U);
  EXPECT_EQ(found.events[0].onset, Seconds{0});  // position 0 is meant to be the first
  EXPECT_EQ(found.events[1].duration, Seconds{0});
  EXPECT_EQ(found.notes.at(0), "3 lines of the marker file are damaged and left out");
}

TEST_F(BrainVisionFile, SaysWhereItWasPaused) {
  file_.markers += "Mk4=New Segment,,3,1,0,20261115093100000000\n";
  const RecordingHeader found = read_recording_header(write());
  ASSERT_EQ(found.segments.size(), 2U);
  EXPECT_EQ(found.segments[1].first_sample, 2);
  EXPECT_EQ(found.segments[1].onset, Seconds{0.01});
  EXPECT_NE(found.notes.at(0).find("paused 1 times"), std::string::npos);
  EXPECT_EQ(read_recording(write()).samples.rows(), 4);
}

TEST_F(BrainVisionFile, CountsSamplesByTheFile) {
  file_.data += "x";
  file_.points = "7";
  const RecordingHeader found = read_recording_header(write());
  EXPECT_EQ(found.samples, 4);
  EXPECT_EQ(found.notes, (std::vector<std::string>{
                             "the header says 7 samples, the file holds 4; 4 are read",
                             "the last 1 bytes of the samples are less than one of each channel and are left out"}));
  file_.orientation = "VECTORIZED";
  expect_error(ErrorKind::bad_data, {"a.eeg: byte 26", "after 4 samples of 3 channels, 7 are expected"},
               [&] { (void)read_recording_header(write()); });
}

TEST_F(BrainVisionFile, RefusesEveryKindOfBrokenHeader) {
  const BrainVisionBytes good = file_;
  const auto broken = [&](const std::string& words, auto change, ErrorKind kind = ErrorKind::bad_data) {
    file_ = good;
    change(file_);
    refused(words, kind);
  };
  broken("line 1: a BrainVision header begins", [](auto& f) { f.first_line = "hello"; });
  broken(
      "line 6: samples are stored as 'ASCII'", [](auto& f) { f.data_format = "ASCII"; }, ErrorKind::unsupported);
  broken(
      "'SPIRAL' is neither", [](auto& f) { f.orientation = "SPIRAL"; }, ErrorKind::unsupported);
  broken(
      "BinaryFormat: heed reads INT_16, INT_32 and IEEE_FLOAT_32, not 'UINT_16'", [](auto& f) { f.format = "UINT_16"; },
      ErrorKind::unsupported);
  broken("NumberOfChannels is 4, but [Channel Infos] describes 3", [](auto& f) { f.count = "4"; });
  broken("NumberOfChannels: 'x'", [](auto& f) { f.count = "x"; });
  broken("NumberOfChannels: '0'", [](auto& f) { f.count = "0"; });
  broken("SamplingInterval: '0'", [](auto& f) { f.interval = "0"; });
  broken("SamplingInterval: 'fast'", [](auto& f) { f.interval = "fast"; });
  broken("DataPoints: '-3'", [](auto& f) { f.points = "-3"; });
  broken("describes 0", [](auto& f) { f.channels = ""; });
  broken("is described twice", [](auto& f) { f.channels += "Ch2=again\n"; });
  broken("'Kanal1' is not a channel", [](auto& f) { f.channels += "Kanal1=x\n"; });
  broken("describes 3", [](auto& f) { f.channels = "Ch1=a\nCh2=b\nCh4=c\n"; });
  broken(
      "at most 4096 channels", [](auto& f) { f.channels += "Ch5000=x\n"; }, ErrorKind::unsupported);
  broken("channel 'Fz': the resolution 'high'", [](auto& f) { f.channels = "Ch1=Fz,,high\nCh2=b\nCh3=c\n"; });
  broken("channel 'Fz': the resolution '0'", [](auto& f) { f.channels = "Ch1=Fz,,0\nCh2=b\nCh3=c\n"; });
  file_ = good;
  file_.data = "12345";
  expect_error(ErrorKind::bad_data, {"a.eeg", "not even one"}, [&] { (void)read_recording_header(write()); });
  std::filesystem::remove(folder_.path() / "a.eeg");
  file_.data = "";
  refused("do not exist, nor does a.eeg", ErrorKind::not_found);
}

}  // namespace
}  // namespace heed::io
