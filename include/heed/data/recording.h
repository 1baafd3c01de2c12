// SPDX-License-Identifier: MIT
// A run as its files hold it: the recording (channels, events and samples; the header is cheap to read, samples are
// read for the channels and the stretch of time that are wanted), the sounds that were played, and who was listened to
// when.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <cstddef>
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

// One channel, or the mean of several. Full scale is 1.
struct Sound {
  Hertz sampling_frequency{};
  Seconds onset{};  // of the first sample, in the file
  std::vector<float> samples{};
};

// Time down the rows, one column or several (bands) across; every value is finite.
struct Envelope {
  Hertz sampling_frequency{};
  Seconds onset{};  // of the first row, in the stimulus
  std::vector<std::string> columns{};
  Matrix values{};
};

// What was heard and what was listened to. All onsets are on the recording's clock. docs/formats.md, events.

// A speaker may be made of many pieces: a conversation of several files, a talker who changes sides.
struct StimulusPiece {
  std::string speaker{};
  Seconds onset{};
  Seconds duration{};
  std::string file{};            // below stimuli/: audio, or an envelope table
  Seconds file_onset{};          // where in the file the piece begins
  std::optional<int> channel{};  // of the audio file, from 0; nothing: the mean of all
  std::string trial{};           // empty: the run is one trial
  std::size_t row = 0;           // of the events file, for messages; 0: of none
};

struct AttentionStretch {
  std::string speaker{};
  Seconds onset{};
  Seconds duration{};
  std::string trial{};
  std::size_t row = 0;
};

// Rows in the order of the file. Speakers are named in the order of their first appearance.
struct ListeningEvents {
  std::vector<StimulusPiece> stimuli{};
  std::vector<AttentionStretch> attention{};
};

}  // namespace heed::data

namespace heed {
using data::AttentionStretch;
using data::Envelope;
using data::ListeningEvents;
using data::RecordedChannel;
using data::Recording;
using data::RecordingEvent;
using data::RecordingHeader;
using data::RecordingSegment;
using data::SampleMatrix;
using data::Sound;
using data::StimulusPiece;
}  // namespace heed
