// SPDX-License-Identifier: MIT
// One run of a BIDS folder: what is in it, and its signals prepared.
#pragma once

#include <data/prepared_run.h>
#include <heed/data/preprocessing.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/channels_file.h>
#include <io/bids/events_file.h>
#include <pipeline/preparation/speaker_track.h>

#include <string>
#include <vector>

namespace heed::pipeline {

// Everything but samples.
struct RunPlan {
  RecordingHeader header{};
  std::vector<io::EegChannel> eeg{};
  ListeningEvents events{};
  std::vector<io::TrialPlan> trials{};
};

// Throws bad_data, not_found, io, naming the file; not_found for a run without events.
[[nodiscard]] RunPlan plan_run(const io::BidsDataset& dataset, const io::BidsRun& run);

struct FoundBad {
  std::string channel{};
  std::string reason{};
};

// Flat, railed and empty channels among the good ones; reads the whole recording once, in pieces.
[[nodiscard]] std::vector<FoundBad> find_bad_channels(const io::BidsRun& run, const RunPlan& plan);

struct ChosenChannels {
  std::vector<std::string> all{};  // in the participant's order
  std::vector<std::string> bad{};  // of them
};

// Channels of the reference that are no EEG (mastoids on extra inputs) are read, subtracted and left out again: they
// come last.
[[nodiscard]] std::vector<std::string> channels_to_read(const ChosenChannels& channels,
                                                        const Preprocessing& preprocessing);

// Raw samples around a trial: the run-in is a whole number of rows, so that row 0 is the trial's first sample.
struct RawStretch {
  Seconds time{};  // of the first one
  Index samples = 0;
  Index rows_before = 0;  // of the run-in, at the target rate
};
[[nodiscard]] RawStretch stretch_of(const io::TrialPlan& trial, const RecordingHeader& header, Hertz target_rate);

// A trial's stretches of attention in rows at the target rate.
[[nodiscard]] std::vector<AttendedRange> attended_ranges(const io::TrialPlan& trial, Hertz rate, Index samples);

struct RunRequest {
  const io::BidsRun& run;
  const RunPlan& plan;
  const ChosenChannels& channels;
  const Preprocessing& preprocessing;
};

// `tracks` must be of the same preprocessing.
[[nodiscard]] PreparedRun prepare_run(const RunRequest& request, SpeakerTracks& tracks);

}  // namespace heed::pipeline
