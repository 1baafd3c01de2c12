// SPDX-License-Identifier: MIT
// What is written reads back: samples to half a step, events, names, units, start. Other programs read it as well:
// tests/cli/test_recordings.py.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/io/recording_file.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;

struct Range {
  double scale = 100;
  double middle = 0;
};

Recording noise(Index samples, Index channels, Hertz rate, Range range = {}) {
  RandomStream random(7);
  Recording recording{{}, rate, {}, SampleMatrix(samples, channels)};
  for (Index c = 0; c < channels; ++c) recording.channels.push_back({"ch" + std::to_string(c + 1), "\xc2\xb5V", rate});
  for (float& value : recording.samples.reshaped())
    value = static_cast<float>(range.middle + range.scale * random.normal());
  return recording;
}

void write(const std::filesystem::path& path, const Recording& recording, std::span<const RecordingEvent> events = {},
           const RecordingWriteOptions& options = {}) {
  if (path.extension() == ".bdf") write_bdf(path, recording, events, options);
  if (path.extension() == ".edf") write_edf(path, recording, events, options);
  if (path.extension() == ".vhdr") write_brainvision(path, recording, events, options);
}

// Half a step of the channel's range and the rounding of the result. The header states the range in eight characters,
// rounded outwards: seven digits at best, fewer for small numbers (-0.00123) and those of more than seven places.
double stated_outwards(double largest) {
  if (largest > 9e6) return 2e-3;
  return largest < 1e-3 ? 0.2 : 2e-5 / std::min(1.0, largest);
}

double tolerance(const Recording& recording, Index channel, int bits) {
  const auto column = recording.samples.col(channel);
  const auto range = static_cast<double>(column.maxCoeff()) - static_cast<double>(column.minCoeff());
  const auto largest = static_cast<double>(column.cwiseAbs().maxCoeff());
  const double flat = range == 0 ? std::max(1.0, largest) : range;
  return 0.5 * (flat + 2 * stated_outwards(largest) * largest) / (std::exp2(bits) - 1) * 1.0001 + 6e-8 * largest;
}

RC_GTEST_PROP(RecordingWriter, SamplesReadBack, ()) {
  const std::string ending = *rc::gen::element<std::string>(".bdf", ".edf", ".vhdr");
  const double rate = *rc::gen::element(64.0, 1.0, 0.5, 62.5, 512.0, 1000.0 / 3, 2048.0);
  const double scale = std::pow(10.0, *rc::gen::inRange(-6, 7));
  const double middle = *rc::gen::element(0.0, 1.0, -30.0) * scale;
  const Recording recording = noise(*rc::gen::inRange(1, 700), *rc::gen::inRange(1, 5), Hertz{rate}, {scale, middle});
  const TemporaryFolder folder;
  const auto path = folder.path() / ("a" + ending);
  write(path, recording);
  const Recording found = read_recording(path);
  RC_ASSERT(std::abs(found.sampling_frequency.value - rate) <= 1e-12 * rate);
  RC_ASSERT(found.samples.rows() >= recording.samples.rows());
  RC_ASSERT(static_cast<double>(found.samples.rows() - recording.samples.rows()) <
            std::max(1.0, 3 * rate));  // the last record is filled up
  for (Index c = 0; c < recording.samples.cols(); ++c) {
    const double allowed = ending == ".vhdr" ? 0 : tolerance(recording, c, ending == ".bdf" ? 24 : 16);
    for (Index t = 0; t < found.samples.rows(); ++t) {
      const auto written = static_cast<double>(recording.samples(std::min(t, recording.samples.rows() - 1), c));
      RC_ASSERT(std::abs(static_cast<double>(found.samples(t, c)) - written) <= allowed);
    }
  }
}

RC_GTEST_PROP(RecordingWriter, EventsReadBack, ()) {
  const std::string ending = *rc::gen::element<std::string>(".bdf", ".edf", ".vhdr");
  const TemporaryFolder folder;
  const auto path = folder.path() / ("a" + ending);
  std::vector<RecordingEvent> events;
  const int count = *rc::gen::inRange(0, 60);
  for (int i = 0; i < count; ++i) {
    const double onset = *rc::gen::inRange(0, 64 * 10) / 64.0;
    const std::string text =
        "Stimulus/" + *rc::gen::element<std::string>("a", "très long, with a comma", "S  1", "x/y");
    events.push_back({Seconds{onset}, Seconds{*rc::gen::inRange(0, 128) / 64.0}, text});
  }
  std::ranges::stable_sort(events, {}, &RecordingEvent::onset);
  write(path, noise(640, 2, Hertz{64}), events, {.start = "2026-11-15T09:30:01.500000"});
  const RecordingHeader header = read_recording_header(path);
  RC_ASSERT(header.notes.empty());
  RC_ASSERT(header.start == "2026-11-15T09:30:01.500000");
  std::vector<RecordingEvent> found = header.events;
  if (ending == ".vhdr") {  // which begins with a marker of its own
    RC_ASSERT(found.at(0).description == "New Segment/");
    found.erase(found.begin());
  }
  RC_ASSERT(found.size() == events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    RC_ASSERT(std::abs(found[i].onset.value - events[i].onset.value) < 1e-8);
    RC_ASSERT(std::abs(found[i].duration.value - events[i].duration.value) < 1e-8);
    RC_ASSERT(found[i].description == events[i].description);
  }
}

TEST(RecordingWriter, NamesUnitsAndStartReadBack) {
  const TemporaryFolder folder;
  Recording recording = noise(128, 2, Hertz{64});
  recording.channels[1] = {"T8, left", "mV", Hertz{64}};
  for (const std::string ending : {".bdf", ".edf", ".vhdr"}) {
    const auto path = folder.path() / ("a" + ending);
    write(path, recording, {}, {.start = "1984-02-29T23:59:59", .subject = "sub 01"});
    const RecordingHeader found = read_recording_header(path);
    EXPECT_EQ(found.start, "1984-02-29T23:59:59");
    EXPECT_EQ(found.channels.at(1).name, "T8, left");
    EXPECT_EQ(found.channels.at(1).unit, "mV");
    EXPECT_EQ(found.channels.at(0).unit, ending == ".vhdr" ? "\xc2\xb5V" : "uV");
    EXPECT_EQ(found.samples, 128);
    write(path, recording);
    EXPECT_FALSE(read_recording_header(path).start);
  }
}

TEST(RecordingWriter, APartTakesItsEventsAlong) {
  const TemporaryFolder folder;
  Recording part = noise(128, 1, Hertz{64});
  part.onset = Seconds{10};
  const std::vector<RecordingEvent> events{
      {Seconds{9}, {}, "S/before"}, {Seconds{10.5}, {}, "S/in"}, {Seconds{12}, {}, "S/after"}};
  for (const std::string ending : {".bdf", ".vhdr"}) {
    write(folder.path() / ("a" + ending), part, events);
    const auto found = read_recording_header(folder.path() / ("a" + ending)).events;
    EXPECT_EQ(found.back().description, "S/in");
    EXPECT_EQ(found.back().onset, Seconds{0.5});
  }
}

TEST(RecordingWriter, ReplacesFilesWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.vhdr";
  write(path, noise(10, 1, Hertz{64}));
  write(path, noise(20, 1, Hertz{64}));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.eeg", "a.vhdr", "a.vmrk"}));
  // A folder in the way of one of the three: none is touched.
  std::filesystem::remove(folder.path() / "a.vmrk");
  std::filesystem::create_directory(folder.path() / "a.vmrk");
  expect_error(ErrorKind::cannot_create, {"a.vmrk"}, [&] { write(path, noise(30, 1, Hertz{64})); });
  std::filesystem::remove(folder.path() / "a.vmrk");
  EXPECT_EQ(read_recording_header(path).samples, 20);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.eeg", "a.vhdr"}));
  expect_error(ErrorKind::cannot_create, {"a.bdf"},
               [&] { write(folder.path() / "no" / "a.bdf", noise(3, 1, Hertz{64})); });
}

TEST(RecordingWriter, RefusesWhatTheFormatsCannotHold) {
  const TemporaryFolder folder;
  const auto refused = [&](const Recording& recording, std::string_view words, const std::string& name = "a.edf") {
    expect_error(ErrorKind::invalid_argument, {words}, [&] { write(folder.path() / name, recording); });
  };
  Recording broken = noise(8, 2, Hertz{64});
  broken.samples(3, 1) = std::numeric_limits<float>::quiet_NaN();
  refused(broken, "channel 'ch2', sample 4 is not a number");
  broken.samples(3, 1) = std::numeric_limits<float>::infinity();
  refused(broken, "channel 'ch2', sample 4 is not a number", "a.vhdr");
  refused({}, "no samples");
  broken = noise(8, 2, Hertz{64});
  broken.channels.pop_back();
  refused(broken, "1 channels are named, the samples have 2 columns");
  refused(noise(8, 2, Hertz{0}), "sampling frequency of 0 Hz");
  refused(noise(8, 2, Hertz{3.14159265358979}), "write BrainVision instead");
  broken = noise(8, 1, Hertz{64});
  broken.channels[0].name = "seventeen letters";
  refused(broken, "16 plain");
  broken.channels[0].name = "é";
  refused(broken, "16 plain");
  expect_error(ErrorKind::invalid_argument, {"'yesterday' is not a time"},
               [&] { write(folder.path() / "a.bdf", noise(8, 1, Hertz{64}), {}, {.start = "yesterday"}); });
  expect_error(ErrorKind::invalid_argument, {"end it in .vhdr"},
               [&] { write_brainvision(folder.path() / "a.eeg", noise(8, 1, Hertz{64})); });
  const std::vector<RecordingEvent> nameless{{Seconds{0.05}, {}, " "}};
  expect_error(ErrorKind::invalid_argument, {"the event at 0.05 s has no description"},
               [&] { write(folder.path() / "a.bdf", noise(8, 1, Hertz{64}), nameless); });
  EXPECT_TRUE(folder.names().empty());
}

TEST(RecordingWriter, BrainVisionKeepsMissingSamples) {
  const TemporaryFolder folder;
  Recording recording = noise(8, 2, Hertz{64});
  recording.samples(3, 1) = std::numeric_limits<float>::quiet_NaN();
  write(folder.path() / "a.vhdr", recording);
  EXPECT_TRUE(std::isnan(read_recording(folder.path() / "a.vhdr").samples(3, 1)));
}

}  // namespace
}  // namespace heed::io
