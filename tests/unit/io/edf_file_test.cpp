// SPDX-License-Identifier: MIT
// EDF and BDF as files hold them: the expected numbers follow from the bytes put together here.
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>
#include <io/edf/edf_header.h>

#include "support/edf_bytes.h"
#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::annotation_list;
using test::EdfBytes;
using test::EdfSignalBytes;
using test::expect_error;
using test::TemporaryFolder;

class EdfFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path write(const EdfBytes& file, const std::string& name = "a.edf") const {
    return folder_.write(name, file.bytes());
  }
  [[nodiscard]] RecordingHeader header(const EdfBytes& file) const { return read_recording_header(write(file)); }
  [[nodiscard]] Recording read(const EdfBytes& file, const RecordingPart& part = {}) const {
    return read_recording(write(file), part);
  }
  // Refused as bad data, with these words and the file's name.
  void refused(const EdfBytes& file, const std::string& words, ErrorKind kind = ErrorKind::bad_data) const {
    expect_error(kind, {words}, [&] { (void)header(file); });
    expect_error(kind, {"a.edf"}, [&] { (void)header(file); });
  }

  TemporaryFolder folder_;
  EdfBytes two_channels_{.signals = {{.label = "Fz", .values = {1, 2, 3, 4, 5, 6, 7, -8}},
                                     {.label = "Cz",
                                      .unit = "mV",
                                      .physical_minimum = "-10",
                                      .physical_maximum = "10",
                                      .values = {-1000, 1000, 0, 500, 1, 2, 3, 4}}}};
};

TEST_F(EdfFile, SaysWhatIsInIt) {
  const RecordingHeader found = header(two_channels_);
  EXPECT_EQ(found.format, "EDF");
  EXPECT_EQ(found.sampling_frequency, Hertz{4});
  EXPECT_EQ(found.samples, 8);
  EXPECT_EQ(found.start, "2026-11-15T09:30:00");
  ASSERT_EQ(found.channels.size(), 2U);
  EXPECT_EQ(found.channels[1].name, "Cz");
  EXPECT_EQ(found.channels[1].unit, "mV");
  ASSERT_EQ(found.segments.size(), 1U);
  EXPECT_EQ(found.segments[0].samples, 8);
  EXPECT_TRUE(found.notes.empty());
  EXPECT_TRUE(found.events.empty());
}

TEST_F(EdfFile, ScalesEachChannelToItsUnit) {
  const Recording found = read(two_channels_);
  SampleMatrix expected(8, 2);
  expected << 1, -10, 2, 10, 3, 0, 4, 5, 5, .01F, 6, .02F, 7, .03F, -8, .04F;
  EXPECT_EQ(found.samples, expected);
  EXPECT_EQ(found.onset, Seconds{0});
}

TEST_F(EdfFile, ReadsTwentyFourBitsWithTheirSign) {
  EdfBytes file{.bdf = true,
                .signals = {{.label = "A1",
                             .physical_minimum = "-8388608",
                             .physical_maximum = "8388607",
                             .digital_minimum = "-8388608",
                             .digital_maximum = "8388607",
                             .values = {-8388608, 8388607, -1, 1, 0x123456, -0x123456, 255, -256}}}};
  const Recording found = read_recording(write(file, "a.bdf"));
  const std::vector<float> samples(found.samples.data(), found.samples.data() + 8);
  EXPECT_EQ(samples, (std::vector<float>{-8388608, 8388607, -1, 1, 0x123456, -0x123456, 255, -256}));
  EXPECT_EQ(read_recording_header(write(file, "a.bdf")).format, "BDF");
}

TEST_F(EdfFile, GoesByContentNotByName) {
  EXPECT_EQ(read_recording_header(write(two_channels_, "a.bdf")).format, "EDF");
  EXPECT_EQ(read_recording_header(write(two_channels_, "a.rec")).format, "EDF");
}

TEST_F(EdfFile, ReadsHeadersAsOtherProgramsWriteThem) {
  two_channels_.signals[0].unit = "\xb5V";                      // Latin-1
  two_channels_.signals[1].unit = "\xce\xbcV";                  // a Greek mu
  two_channels_.signals[1].physical_minimum = "-10,5";          // a comma
  two_channels_.signals[1].label = std::string("Cz\0junk", 7);  // filled up with something else
  two_channels_.recording = "1234";
  two_channels_.date = "31.12.99";
  const RecordingHeader found = header(two_channels_);
  EXPECT_EQ(found.channels[0].unit, "µV");
  EXPECT_EQ(found.channels[1].unit, "µV");
  EXPECT_EQ(found.channels[1].name, "Cz");
  EXPECT_EQ(found.start, "1999-12-31T09:30:00");
  EXPECT_EQ(read(two_channels_).samples(0, 1), -10.5F);
}

TEST_F(EdfFile, HasNoStartWhereTheDateIsNone) {
  two_channels_.recording = "";
  for (const std::string date : {"31.02.20", "xx.yy.zz", ""}) {
    two_channels_.date = date;
    const RecordingHeader found = header(two_channels_);
    EXPECT_FALSE(found.start) << date;
    EXPECT_EQ(found.notes.size(), date.empty() ? 0U : 1U) << "a date that is none is noted, a missing one is not";
  }
  two_channels_.recording = "Startdate X X X X";
  two_channels_.date = "01.01.85";
  EXPECT_FALSE(header(two_channels_).start);
}

TEST_F(EdfFile, NumbersChannelsOfOneName) {
  two_channels_.signals[1].label = "Fz";
  const RecordingHeader found = header(two_channels_);
  EXPECT_EQ(found.channels[0].name, "Fz-0");
  EXPECT_EQ(found.channels[1].name, "Fz-1");
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_NE(found.notes[0].find("2 channels share a name"), std::string::npos);
}

TEST_F(EdfFile, CountsRecordsByTheFile) {
  two_channels_.stated_records = "-1";
  EXPECT_EQ(header(two_channels_).samples, 8);
  EXPECT_NE(header(two_channels_).notes.at(0).find("not finished"), std::string::npos);
  two_channels_.stated_records = "7";
  EXPECT_NE(header(two_channels_).notes.at(0).find("says 7 records, the file holds 2 whole records"),
            std::string::npos);
  two_channels_.stated_records = "2";
  std::string cut = two_channels_.bytes();
  cut.resize(cut.size() - 5);
  const RecordingHeader found = read_recording_header(folder_.write("cut.edf", cut));
  EXPECT_EQ(found.samples, 4);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_NE(found.notes[1].find("last 11 bytes"), std::string::npos);
}

TEST_F(EdfFile, KeepsCountsOfChannelsWithoutARange) {
  two_channels_.signals[1].physical_maximum = "-10";
  const RecordingHeader found = header(two_channels_);
  EXPECT_EQ(found.channels[1].unit, "");
  EXPECT_NE(found.notes.at(0).find("Cz states no range"), std::string::npos);
  EXPECT_EQ(read(two_channels_).samples(1, 1), 1000.0F);
}

TEST_F(EdfFile, RefusesEveryKindOfBrokenHeader) {
  const auto with = [&](auto change) {
    EdfBytes file = two_channels_;
    change(file);
    return file;
  };
  refused(with([](auto& f) { f.stated_signals = "0"; }), "byte 253, number of signals: 0");
  refused(with([](auto& f) { f.stated_signals = "-2"; }), "byte 253");
  refused(with([](auto& f) { f.stated_signals = "two"; }), "'two' is not a whole number");
  refused(with([](auto& f) { f.stated_signals = "3"; }), "byte 185, bytes of the header: 768, but 3 signals take 1024");
  refused(with([](auto& f) { f.header_bytes = "99999"; }), "byte 185");
  refused(with([](auto& f) { f.stated_records = "many"; }), "byte 237, number of records");
  refused(with([](auto& f) { f.seconds = "0"; }), "byte 245, seconds of a record");
  refused(with([](auto& f) { f.seconds = "-1"; }), "byte 245");
  refused(with([](auto& f) { f.seconds = "nan"; }), "byte 245");
  refused(with([](auto& f) { f.seconds = "1e-20"; }), "gives no valid sampling frequency");
  refused(with([](auto& f) {
            f.signals[1].samples = 0;
            f.records = 0;
          }),
          "samples per record of signal 2: 0");
  refused(with([](auto& f) {
            f.signals[1].samples = -3;
            f.records = 0;
          }),
          "samples per record of signal 2: -3");
  refused(with([](auto& f) {
            f.signals[0].samples = 99999999;
            f.records = 0;
          }),
          "one record takes");
  refused(with([](auto& f) { f.records = 0; }), "one record takes 16 bytes, and the file has 0 left");
  refused(with([](auto& f) { f.signals[1].physical_minimum = "abc"; }), "physical minimum of signal 2: 'abc'");
  refused(with([](auto& f) { f.signals[1].physical_maximum = "1e300"; }), "physical maximum of signal 2");
  refused(with([](auto& f) { f.signals[0].digital_maximum = ""; }), "digital maximum of signal 1");
  refused(with([](auto& f) { f.signals = {{.label = "EDF Annotations"}}; }), "no signal", ErrorKind::unsupported);
}

TEST_F(EdfFile, RefusesWhatIsNoRecording) {
  expect_error(ErrorKind::bad_data, {"begins neither like EDF"},
               [&] { (void)read_recording_header(folder_.write("a.edf", "hello")); });
  expect_error(ErrorKind::bad_data, {"byte 1, the file begins neither"},
               [&] { (void)read_recording_header(folder_.write("a.edf", "")); });
  expect_error(ErrorKind::bad_data, {"ends within its header"},
               [&] { (void)read_recording_header(folder_.write("a.edf", two_channels_.bytes().substr(0, 255))); });
  expect_error(ErrorKind::bad_data, {"ends within its header of 768 bytes"},
               [&] { (void)read_recording_header(folder_.write("a.edf", two_channels_.bytes().substr(0, 700))); });
  expect_error(ErrorKind::not_found, {"no.edf: no such file"},
               [&] { (void)read_recording_header(folder_.path() / "no.edf"); });
  expect_error(ErrorKind::io, {"is a directory"}, [&] { (void)read_recording_header(folder_.path()); });
}

// ---- events ----

TEST_F(EdfFile, TakesAnnotationsAsEvents) {
  EdfSignalBytes notes{.label = "EDF Annotations", .samples = 40};
  notes.texts = {annotation_list("+0.25", {""}) + annotation_list("+1.25\x15"
                                                                  "0.5",
                                                                  {"stimulus", "left"}),
                 annotation_list("+1.25", {""}) +
                     annotation_list("-1", {"b\xe9"
                                            "fore"}) +
                     annotation_list("+x", {"lost"})};
  two_channels_.reserved = "EDF+C";
  two_channels_.signals.push_back(notes);
  const RecordingHeader found = header(two_channels_);
  EXPECT_EQ(found.format, "EDF+");
  EXPECT_EQ(found.start, "2026-11-15T09:30:00.250000");
  EXPECT_EQ(found.channels.size(), 2U);
  ASSERT_EQ(found.events.size(), 3U);
  EXPECT_EQ(found.events[0].onset, Seconds{-1.25});
  EXPECT_EQ(found.events[0].description, "béfore");
  EXPECT_EQ(found.events[1].onset, Seconds{1});
  EXPECT_EQ(found.events[1].duration, Seconds{0.5});
  EXPECT_EQ(found.events[1].description, "stimulus");
  EXPECT_EQ(found.events[2].description, "left");
  EXPECT_EQ(found.notes, std::vector<std::string>{"1 annotations are damaged and left out"});
}

TEST_F(EdfFile, TakesRisingTriggersOfTheStatusChannelAsEvents) {
  // Bits above the sixteenth are the amplifier's; the first value, a fall and a stay are no events.
  const EdfSignalBytes status{.label = "Status", .values = {0x10005, 0x10005, 0x30007, 0, 0x20001, 1, 3, 2}};
  two_channels_.bdf = true;
  two_channels_.signals.push_back(status);
  const RecordingHeader found = read_recording_header(write(two_channels_, "a.bdf"));
  EXPECT_EQ(found.channels.size(), 2U);
  ASSERT_EQ(found.events.size(), 3U);
  EXPECT_EQ(found.events[0].onset, Seconds{0.5});
  EXPECT_EQ(found.events[0].description, "7");
  EXPECT_EQ(found.events[1].onset, Seconds{1});
  EXPECT_EQ(found.events[1].description, "1");
  EXPECT_EQ(found.events[2].onset, Seconds{1.5});
  EXPECT_EQ(found.events[2].description, "3");
}

TEST_F(EdfFile, SaysThatItIsDiscontinuous) {
  two_channels_.reserved = "EDF+D";
  two_channels_.records = 3;
  two_channels_.signals.push_back({.label = "EDF Annotations",
                                   .samples = 20,
                                   .texts = {annotation_list("+10", {""}), annotation_list("+11", {""}),
                                             annotation_list("+20.5", {""}) + annotation_list("+21", {"late"})}});
  two_channels_.signals.push_back({.label = "Status", .values = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9}});
  const RecordingHeader found = header(two_channels_);
  ASSERT_EQ(found.segments.size(), 2U);
  EXPECT_EQ(found.segments[0].samples, 8);
  EXPECT_EQ(found.segments[1].onset, Seconds{10.5});
  EXPECT_EQ(found.segments[1].first_sample, 8);
  EXPECT_EQ(found.segments[1].samples, 4);
  ASSERT_EQ(found.events.size(), 2U);
  EXPECT_EQ(found.events[0].onset, Seconds{11});  // late, and the trigger, at the same moment
  EXPECT_EQ(found.events[1].onset, Seconds{11});
  EXPECT_NE(found.notes.at(0).find("2 segments"), std::string::npos);

  expect_error(ErrorKind::unsupported, {"0 to 2 s, 10.5 to 11.5 s"}, [&] { (void)read(two_channels_); });
  const Recording late = read(two_channels_, {.channels = {}, .from = Seconds{5}, .to = {}});
  EXPECT_EQ(late.onset, Seconds{10.5});
  EXPECT_EQ(late.samples.rows(), 4);
  EXPECT_EQ(read(two_channels_, {.channels = {}, .from = {}, .to = Seconds{2}}).samples.rows(), 8);
}

TEST_F(EdfFile, RefusesDiscontinuousFilesThatDoNotTellTheTime) {
  two_channels_.reserved = "EDF+D";
  refused(two_channels_, "no annotation channel");
  two_channels_.signals.push_back({.label = "EDF Annotations", .samples = 20, .texts = {annotation_list("+0", {""})}});
  refused(two_channels_, "record 2 of a discontinuous file does not say when it began");
  two_channels_.signals.back().texts.push_back(annotation_list("+0.5", {""}));
  refused(two_channels_, "record 2 begins at 0.5 s, but the one before ends at 1 s");
}

TEST(EdfAnnotationReader, WalksOverLists) {
  const std::string bytes = annotation_list("+0", {""}) +
                            annotation_list(
                                "+2.5\x15"
                                "1",
                                {"a", "", "b"}) +
                            std::string(5, '\0') + "+3\x14unfinished" + std::string(1, '\0') + "+4\x14" +
                            std::string(1, '\0') + annotation_list("5", {"unsigned"});
  EdfAnnotationReader reader(bytes);
  std::vector<std::tuple<double, double, std::string>> found;
  while (reader.next())
    found.emplace_back(reader.annotation().onset, reader.annotation().duration, reader.annotation().text);
  const std::vector<std::tuple<double, double, std::string>> expected{
      {0, 0, ""}, {2.5, 1, "a"}, {2.5, 1, ""}, {2.5, 1, "b"}, {4, 0, ""}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(reader.damaged(), 2U);
}

TEST_F(EdfFile, KeepsEventsInProportionToTheFile) {
  // A ramp on the status channel would be an event every three bytes.
  EdfBytes file{.bdf = true, .records = 10, .signals = {{.label = "A"}, {.label = "Status", .samples = 6000}}};
  for (int i = 0; i < 60000; ++i) file.signals[1].values.push_back(i);
  const RecordingHeader found = read_recording_header(write(file, "a.bdf"));
  EXPECT_EQ(found.events.size(), 1000U + file.bytes().size() / 200);
  EXPECT_NE(found.notes.at(0).find("are left out"), std::string::npos);
}

}  // namespace
}  // namespace heed::io
