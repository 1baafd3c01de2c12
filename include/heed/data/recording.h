// SPDX-License-Identifier: MIT
// A recording as a file holds it: channels, events and samples. The header is cheap to read and says
// what is there; samples are read for the channels and the stretch of time that are wanted.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::data {

// Samples down the rows, channels across. Single precision holds 24 bits, which is what amplifiers give.
using SampleMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct RecordedChannel {
  std::string name{};
  std::string unit{};  // as the file says: uV, mV, V ...; empty: none given
  Hertz sampling_frequency{};
};

// A trigger, marker or annotation. On the clock of the samples: onset 0 is the first one.
struct RecordingEvent {
  Seconds onset{};
  Seconds duration{};
  std::string description{};
};

// Samples without a pause. A recording with more than one is discontinuous.
struct RecordingSegment {
  Seconds onset{};  // on the recording's clock, from its start
  Index first_sample = 0;
  Index samples = 0;  // both at the recording's sampling frequency
};

struct RecordingHeader {
  std::string format{};                     // EDF, EDF+, BDF, BDF+, BrainVision
  Hertz sampling_frequency{};               // of the channels; the largest where they differ
  Index samples = 0;                        // at that frequency
  std::optional<std::string> start{};       // local time, 2026-11-15T09:30:00; nothing if the file does not say
  std::vector<RecordedChannel> channels{};  // signals only: annotation and status channels become events
  std::vector<RecordingEvent> events{};     // by onset
  std::vector<RecordingSegment> segments{};
  std::vector<std::string> notes{};  // what a user should know: a repaired label, a missing marker file ...
};

// Samples of some channels, all of one rate, from `onset` on.
struct Recording {
  std::vector<RecordedChannel> channels{};
  Hertz sampling_frequency{};
  Seconds onset{};
  SampleMatrix samples{};  // in the channel's unit
};

}  // namespace heed::data

namespace heed {
using data::RecordedChannel;
using data::Recording;
using data::RecordingEvent;
using data::RecordingHeader;
using data::RecordingSegment;
using data::SampleMatrix;
}  // namespace heed
