// SPDX-License-Identifier: MIT
// A session as an XDF file: one clock that never runs backwards, trials and attention as markers.
#include <gtest/gtest.h>
#include <io/xdf/xdf_plan.h>
#include <live/sinks/xdf_recorder.h>

#include <array>
#include <vector>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::live {
namespace {

StreamDescription stream() {
  StreamDescription described{.speakers = {"left", "right"}};
  described.sampling_frequency = {100};
  described.channels = {"Fz", "Cz"};
  described.feeds = {{0, FeedKind::audio, {1000}}, {1, FeedKind::envelope, {50}}};
  return described;
}

void decide(XdfRecorder& recorder, double onset, Index trial, std::string_view name, Speaker attended) {
  const std::array<double, 2> posterior{0.75, 0.25};
  recorder.decided({.trial_number = trial,
                    .trial = name,
                    .onset = {onset},
                    .end = {onset + 1},
                    .posterior = posterior,
                    .attended = attended,
                    .gains = posterior});
}

// Ten seconds of everything from `onset` on.
void record(XdfRecorder& recorder, double onset, Index trial, std::string_view name, Speaker attended) {
  recorder.restarts();
  recorder.eeg_begins({onset});
  recorder.sound_begins(0, {onset + 0.5});
  recorder.sound_begins(1, {onset});
  const std::vector<float> eeg(200, 1.0F);
  const std::vector<float> sound(1000, 0.5F);
  const std::vector<double> envelope(50, 0.1);
  for (int second = 0; second < 10; ++second) {
    recorder.eeg(eeg, 100);
    recorder.audio(0, sound);
    recorder.envelope(1, envelope);
    decide(recorder, onset + second, trial, name, attended);
  }
}

TEST(XdfRecorder, KeepsSignalsMarkersAndPosteriors) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.xdf";
  XdfRecorder recorder(path, stream());
  record(recorder, 100, 0, "one", 0);
  record(recorder, 20, 1, "two", 1);  // on a clock that was set back
  recorder.finish();

  io::XdfFile file = io::XdfFile::open(path);
  EXPECT_TRUE(file.notes().empty());
  const io::XdfPlan plan = io::plan_xdf(file, {});
  const auto& eeg = file.streams()[plan.eeg];
  ASSERT_EQ(eeg.segments.size(), 2U);
  EXPECT_NEAR(eeg.segments[0].onset.value, 100, 1e-9);
  EXPECT_GT(eeg.segments[1].onset.value, eeg.segments[0].end().value);
  const double shift = eeg.segments[1].onset.value - 20;
  ASSERT_EQ(plan.voices.size(), 2U);
  EXPECT_EQ(plan.voices[0].speaker, "left");
  EXPECT_TRUE(plan.voices[1].is_envelope);
  const auto& sound = file.streams()[plan.voices[0].stream];
  ASSERT_EQ(sound.segments.size(), 2U);
  EXPECT_NEAR(sound.segments[1].onset.value, 20.5 + shift, 1e-9);
  std::vector<std::string> texts;
  for (const io::XdfMarker& marker : plan.markers) texts.push_back(marker.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"trial/one", "attended/left", "trial/two", "attended/right"}));
  EXPECT_NEAR(plan.markers[3].time.value, 20 + shift, 1e-9);
}

// A program that is killed writes no footers; what was decided is there.
TEST(XdfRecorder, WithoutAnEndNothingDecidedIsLost) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.xdf";
  {
    XdfRecorder recorder(path, stream());
    record(recorder, 0, 0, "", 0);
  }
  const io::XdfFile file = io::XdfFile::open(path);
  EXPECT_EQ(file.damage().places, 0);
  EXPECT_EQ(file.streams().front().samples, 1000);
  EXPECT_FALSE(file.streams().front().declared);
}

TEST(XdfRecorder, SaysWhatItCannotKeep) {
  test::expect_error(ErrorKind::invalid_argument, {"no signals"}, [] {
    XdfRecorder("/tmp/never.xdf", {.content = StreamContent::scores, .speakers = {"a", "b"}});
  });
  test::expect_error(ErrorKind::cannot_create, {"/proc/none/a.xdf"}, [] { XdfRecorder("/proc/none/a.xdf", stream()); });
}

}  // namespace
}  // namespace heed::live
