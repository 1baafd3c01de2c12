// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <sim/recording_options.h>

#include <limits>
#include <set>

#include "support/expect_error.h"

namespace heed::sim {
namespace {

using test::expect_error;

TEST(RecordingOptions, DefaultsAreTheFirstDataSet) {
  const RecordingCohortOptions options;
  EXPECT_NO_THROW(check(options));
  EXPECT_EQ(options.participants, 13);
  EXPECT_EQ(options.trials, 4);
  EXPECT_EQ(options.trial, Seconds{600});
  EXPECT_EQ(options.speakers, 2);
  EXPECT_EQ(speaker_names(options), (std::vector<std::string>{"left", "right"}));
}

TEST(RecordingOptions, ThreeConversationsAreTheSecond) {
  const RecordingCohortOptions options = three_conversations();
  EXPECT_NO_THROW(check(options));
  EXPECT_EQ(options.participants, 20);
  EXPECT_EQ(options.trials, 6);
  EXPECT_EQ(options.sustained_trials, 3);
  EXPECT_TRUE(options.turn_taking);
  EXPECT_EQ(speaker_names(options), (std::vector<std::string>{"left", "centre", "right"}));
}

TEST(RecordingOptions, CapsHaveSoManyDifferentElectrodes) {
  for (const int count : {64, 32, 19}) {
    const auto names = electrodes(count);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), static_cast<std::size_t>(count));
  }
  expect_error(ErrorKind::invalid_argument, {"channels 20", "64, 32 and 19"}, [] { (void)electrodes(20); });
}

TEST(RecordingOptions, BadOptionsAreNamed) {
  const auto refuses = [](auto change, std::string_view words) {
    RecordingCohortOptions options;
    change(options);
    expect_error(ErrorKind::invalid_argument, {words}, [&] { check(options); });
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  refuses([](auto& o) { o.participants = 0; }, "participants 0");
  refuses([](auto& o) { o.participants = 10000; }, "participants 10000");
  refuses([](auto& o) { o.trials = -1; }, "trials -1");
  refuses([](auto& o) { o.sustained_trials = 5; }, "sustained trials 5 are more than the trials, 4");
  refuses([](auto& o) { o.speakers = 1; }, "speakers 1");
  refuses([](auto& o) { o.speakers = 9; }, "speakers 9");
  refuses([](auto& o) { o.trial = Seconds{0.5}; }, "trial 0.5 s");
  refuses([](auto& o) { o.trial = Seconds{nan}; }, "trial nan s");
  refuses([](auto& o) { o.interval = {Seconds{0.5}, Seconds{0.5}}; }, "switch interval 0.5 s");
  refuses([](auto& o) { o.interval = {Seconds{60.5}, Seconds{90}}; }, "whole seconds");
  refuses([](auto& o) { o.sampling_frequency = Hertz{16}; }, "EEG at 16 Hz");
  refuses([](auto& o) { o.sound_frequency = Hertz{4000}; }, "sound at 4000 Hz");
  refuses([](auto& o) { o.sound_frequency = Hertz{8000.5}; }, "whole number");
  refuses([](auto& o) { o.signal = -1; }, "signal -1");
  refuses([](auto& o) { o.signal = nan; }, "signal nan");
  refuses([](auto& o) { o.signal_spread = 2; }, "signal spread 2");
  refuses([](auto& o) { o.noise = -0.1; }, "noise -0.1");
  refuses([](auto& o) { o.gaze = -1; }, "gaze -1");
  refuses([](auto& o) { o.blinks = 100; }, "blinks per minute: 100");
  refuses([](auto& o) { o.artefacts = -1; }, "artefacts per minute: -1");
  refuses([](auto& o) { o.dropouts = nan; }, "dropouts per minute: nan");
  refuses([](auto& o) { o.dropout_length = Seconds{0}; }, "dropout length 0 s");
  refuses([](auto& o) { o.line_noise = 1, o.line_frequency = Hertz{64}; }, "line frequency 64 Hz");
}

}  // namespace
}  // namespace heed::sim
