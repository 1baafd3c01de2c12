// SPDX-License-Identifier: MIT
// The folder itself is held by tests/cli/test_simulate_recording.py, which reads it back.
#include <gtest/gtest.h>
#include <pipeline/simulated_folder.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::pipeline {
namespace {

namespace fs = std::filesystem;

RecordingWishes small_wishes() {
  RecordingWishes wishes;
  wishes.participants = 2;
  wishes.trials = 1;
  wishes.channels = {"Fz", "Cz"};
  wishes.options.trial = Seconds{12};
  wishes.options.sound_frequency = Hertz{8000};
  return wishes;
}

TEST(RecordingOptions, WhatIsNotSaidIsUsual) {
  const auto usual = recording_options({});
  EXPECT_EQ(usual.participants, 13);
  EXPECT_EQ(usual.trials, 4);
  EXPECT_EQ(usual.speakers, 2);
  EXPECT_FALSE(usual.turn_taking);
  EXPECT_EQ(usual.channels, sim::electrodes(64));
  EXPECT_EQ(usual.interval.shortest.value, 300);
}

TEST(RecordingOptions, ConversationsBringTheirOwn) {
  RecordingWishes wishes;
  wishes.conversations = 3;
  const auto talks = recording_options(wishes);
  EXPECT_TRUE(talks.turn_taking);
  EXPECT_EQ(talks.participants, 20);
  EXPECT_EQ(talks.trials, 6);
  EXPECT_EQ(talks.sustained_trials, 3);
  wishes.trials = 2;
  EXPECT_EQ(recording_options(wishes).sustained_trials, 2) << "no more than there are";
  wishes.speakers = 2;
  test::expect_error(ErrorKind::invalid_argument, {"conversations and speakers"},
                     [&] { (void)recording_options(wishes); });
}

TEST(RecordingOptions, ShortTrialsSwitchInTheMiddle) {
  RecordingWishes wishes;
  for (const auto& [trial, every] : {std::pair{600., 300.}, {301., 300.}, {300., 150.}, {61., 30.}, {1.5, 1.}}) {
    wishes.options.trial = Seconds{trial};
    EXPECT_EQ(recording_options(wishes).interval.longest.value, every) << trial;
  }
  wishes.interval = SwitchInterval{Seconds{5}, Seconds{9}};
  EXPECT_EQ(recording_options(wishes).interval.longest.value, 9);
}

TEST(RecordingOptions, ChannelsAreANumberOrNames) {
  RecordingWishes wishes;
  wishes.channels = {"19"};
  EXPECT_EQ(recording_options(wishes).channels, sim::electrodes(19));
  wishes.channels = {"20"};
  test::expect_error(ErrorKind::invalid_argument, {"channels 20"}, [&] { (void)recording_options(wishes); });
  wishes.channels = {"Cz"};
  EXPECT_EQ(recording_options(wishes).channels, std::vector<std::string>{"Cz"});
}

TEST(AttendedSamples, FollowTheEvents) {
  sim::SimulatedRun run;
  run.recording.sampling_frequency = Hertz{10};
  run.recording.samples.resize(10, 1);
  run.events.attention = {{"left", Seconds{0}, Seconds{.4}, {}, 0}, {"right", Seconds{.4}, Seconds{.5}, {}, 0}};
  const std::vector<Speaker> expected{0, 0, 0, 0, 1, 1, 1, 1, 1, unknown_speaker};
  EXPECT_EQ(attended_samples(run, {"left", "right"}).attended, expected);
}

TEST(SimulatedFolder, AppearsParticipantByParticipant) {
  const test::TemporaryFolder folder;
  const auto options = recording_options(small_wishes());
  const fs::path sim = folder.path() / "sim";
  const auto stop = [](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 2U);
    if (done == 2) throw std::runtime_error("enough");
  };
  EXPECT_THROW(write_simulated_folder(sim, options, {}, stop), std::runtime_error);
  EXPECT_TRUE(fs::exists(sim / "sub-01" / "eeg" / "sub-01_task-listening_run-01_eeg.bdf"));
  EXPECT_FALSE(fs::exists(sim / "sub-02")) << "what was interrupted is not there";
  test::expect_error(ErrorKind::cannot_create, {"is not empty", "force"},
                     [&] { write_simulated_folder(sim, options, {}); });
  write_simulated_folder(sim, options, {.format = io::EegFormat::brainvision, .sounds = "wav", .replace = true});
  EXPECT_FALSE(fs::exists(sim / "sub-01" / "eeg" / "sub-01_task-listening_run-01_eeg.bdf"));
  EXPECT_TRUE(fs::exists(sim / "sub-02" / "eeg" / "sub-02_task-listening_run-01_eeg.vhdr"));
  EXPECT_TRUE(fs::exists(sim / "stimuli" / "story-01.wav"));
  std::ifstream readme(sim / "README");
  const std::string text{std::istreambuf_iterator<char>(readme), {}};
  EXPECT_NE(text.find("attention switches every 6 s,\n2 channels at 128 Hz, sounds at 8000 Hz, seed 1."),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace heed::pipeline
