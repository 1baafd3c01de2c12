// SPDX-License-Identifier: MIT
// A run's events turned into trials: which samples of the EEG each one takes, what every speaker said
// then, and who was attended when. Everything is on the recording's clock. docs/formats.md, trials.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/series.h>
#include <io/bids/problems.h>

#include <span>
#include <string>
#include <vector>

namespace heed::io {

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
