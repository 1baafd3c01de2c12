// SPDX-License-Identifier: MIT
// `*_events.tsv`: which sound came from whom and who was listened to. Columns onset, duration, trial_type, speaker,
// stim_file and, where wanted, stim_onset, stim_channel (from 0) and trial; rows of other trial_types are passed over.
// And the trials they make: which samples of the EEG each takes, what every speaker said then, and who was attended
// when, all on the recording's clock. docs/formats.md, events and trials.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/series.h>
#include <io/bids/problems.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// Throws bad_data with row, column and remedy for the first row that makes no sense. Whether the rows make
// sense together is the plan's business.
[[nodiscard]] ListeningEvents parse_events(std::string_view text);
[[nodiscard]] ListeningEvents read_events(const std::filesystem::path& path);  // errors name the file

// Every row that can be read, and what is wrong with the others.
struct CheckedEvents {
  ListeningEvents events{};
  Problems problems{};
};
[[nodiscard]] CheckedEvents check_events(std::string_view text);

// The table, rows by onset, stimuli before attention; reads back exactly. Columns that every row leaves at
// their default are left out. Throws invalid_argument for what cannot be written: times that are not finite, a
// duration that is not positive, names with a tab or line end.
[[nodiscard]] std::string events_text(const ListeningEvents& events);

// What the columns mean, for people and for BIDS: the JSON beside the table, or task-X_events.json for all.
[[nodiscard]] std::string events_sidecar_text();

struct SpeakerPieces {
  std::string name{};
  std::vector<StimulusPiece> pieces{};  // by onset; those that overlap are added
};

// Cut to the trial.
struct AttendedSpan {
  Speaker speaker = unknown_speaker;
  Seconds onset{};
  Seconds duration{};
};

// From the latest first onset to the earliest last end over the speakers, cut to the EEG, beginning and
// ending on a sample. Sound before it is for the run-in of filters.
struct TrialPlan {
  std::string name{};      // empty: the run is one trial
  Index first_sample = 0;  // of the recording
  Index samples = 0;
  Seconds onset{};                        // of first_sample
  Seconds duration{};                     // of the samples
  std::vector<SpeakerPieces> speakers{};  // the same in every trial of a run, in order of appearance
  std::vector<AttendedSpan> attention{};  // by onset; time in none of them is n/a
};

// Trials in the order of the file. Throws bad_data with the row: no stimulus, attention to a speaker who makes no
// sound, overlapping attention, speakers that are not the same in every trial, trials that overlap, a trial outside
// the EEG or across a pause of it.
[[nodiscard]] std::vector<TrialPlan> plan_trials(const ListeningEvents& events, const RecordingHeader& header);

// The same with every problem at once; trials that make no sense are left out. Warnings: no attention in a trial,
// one speaker only, less than a second, sound that the EEG does not cover.
struct CheckedPlan {
  std::vector<TrialPlan> trials{};
  Problems problems{};
};
[[nodiscard]] CheckedPlan check_trials(const ListeningEvents& events, const RecordingHeader& header);

}  // namespace heed::io
