// SPDX-License-Identifier: MIT
// Recordings of a program that is killed at any moment: they open, and every window that was kept before is there.
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>
#include <heed/io/score_tables.h>
#include <heed/io/sound_file.h>
#include <io/bids/events_file.h>
#include <io/xdf/xdf_plan.h>
#include <live/sinks/threaded_recorder.h>
#include <live/sinks/xdf_recorder.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support/io_temporary_folder.h"

namespace heed::live {
namespace {

constexpr Index eeg_rate = 100;
constexpr Index sound_rate = 1000;

StreamDescription stream() {
  StreamDescription described{.speakers = {"left", "right"}, .labelled = true};
  described.sampling_frequency = {eeg_rate};
  described.channels = {"Fz", "Cz"};
  described.feeds = {{0, FeedKind::audio, {sound_rate}}, {1, FeedKind::audio, {sound_rate}}};
  return described;
}

using MakeRecorder = std::function<std::unique_ptr<Recorder>()>;

// Records windows without end and writes a byte into the pipe for each that was kept.
[[noreturn]] void record(const MakeRecorder& make, int kept) {
  const auto recorder = make();
  const std::vector<float> eeg(2 * eeg_rate, 1.0F);
  const std::vector<float> sound(sound_rate, 0.5F);
  const std::array<double, 2> posterior{0.75, 0.25};
  recorder->restarts();
  recorder->eeg_begins({100});
  for (Index feed = 0; feed < 2; ++feed) recorder->sound_begins(feed, {100});
  recorder->attended({100}, 0);
  for (Index window = 0;; ++window) {
    recorder->eeg(eeg, eeg_rate);
    for (Index feed = 0; feed < 2; ++feed) recorder->audio(feed, sound);
    const Seconds onset{100 + static_cast<double>(window)};
    recorder->decided(
        {.window = window, .onset = onset, .end = onset + Seconds{1}, .posterior = posterior, .attended = 0});
    const char done = 1;
    if (::write(kept, &done, 1) != 1) ::_exit(1);
  }
}

// How many windows were kept when the program was killed, at another moment each round.
Index kept_until_killed(const MakeRecorder& make, int round) {
  std::array<int, 2> told{};
  EXPECT_EQ(::pipe(told.data()), 0);
  const pid_t child = ::fork();
  EXPECT_GE(child, 0);
  if (child == 0) record(make, told[1]);
  ::close(told[1]);
  char done = 0;
  Index kept = 0;
  while (kept < 1 + (round * 7 % 20) && ::read(told[0], &done, 1) == 1) ++kept;
  ::usleep(static_cast<useconds_t>(round * 37 % 1000));  // in the middle of the next
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  while (::read(told[0], &done, 1) == 1) ++kept;
  ::close(told[0]);
  return kept;
}

std::string whole_lines(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.resize(text.rfind('\n') + 1);  // a row that was being written may be cut
  return text;
}

TEST(KilledRecording, OfBidsOpensWithEveryWindowThatWasKept) {
  for (int round = 0; round < 100; ++round) {
    const test::TemporaryFolder folder;
    const auto root = folder.path() / "kept";
    const Index kept = kept_until_killed(
        [&] { return std::make_unique<SessionRecorder>(root, SinkRequest{.stream = stream(), .window = {1}}); }, round);
    const std::string name = "sub-live_task-live_run-01";
    const auto header = io::read_recording_header(root / "sub-live/eeg" / (name + "_eeg.vhdr"));
    EXPECT_GE(header.samples, kept * eeg_rate);
    const auto plans = io::plan_trials(io::read_events(root / "sub-live/eeg" / (name + "_events.tsv")), header);
    ASSERT_EQ(plans.size(), 1U);
    EXPECT_GE(plans.front().duration.value, static_cast<double>(kept));
    for (const char* feed : {"_feed-1.wav", "_feed-2.wav"}) {
      EXPECT_GE(std::ssize(io::read_audio(root / "stimuli" / (name + feed)).samples), kept * sound_rate);
    }
    const auto posteriors = whole_lines(root / "derivatives/heed/sub-live/eeg" / (name + "_desc-live_posteriors.tsv"));
    EXPECT_GE(io::parse_posteriors(posteriors).participant.trials.front().posteriors.values.rows(), kept);
  }
}

TEST(KilledRecording, OfXdfOpensWithEveryWindowThatWasKept) {
  for (int round = 0; round < 100; ++round) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "kept.xdf";
    const Index kept = kept_until_killed([&] { return std::make_unique<XdfRecorder>(path, stream()); }, round);
    io::XdfFile file = io::XdfFile::open(path);
    EXPECT_EQ(file.damage().places, file.damage().cut ? 1 : 0);  // a chunk that was being written may be cut
    const auto samples_of = [&](const std::string& stream_name) {
      return std::ranges::find(file.streams(), stream_name, [](const auto& one) { return one.header.name; })->samples;
    };
    EXPECT_GE(samples_of("heed-eeg"), kept * eeg_rate);
    EXPECT_GE(samples_of("heed-audio-left"), kept * sound_rate);
    EXPECT_GE(samples_of("heed-audio-right"), kept * sound_rate);
    EXPECT_GE(samples_of("heed-posterior"), kept);
    EXPECT_EQ(io::plan_xdf(file, {}).markers.front().text, "attended/left");
  }
}

}  // namespace
}  // namespace heed::live
