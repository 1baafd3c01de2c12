// SPDX-License-Identifier: MIT
// What one speaker said during a trial, as decoders take it: pieces of sound are placed on the recording's clock and
// added, then made an envelope; envelopes that were given are placed and added as they are. docs/preprocessing.md.
#pragma once

#include <heed/data/preprocessing.h>
#include <heed/data/recording.h>
#include <heed/io/bids/dataset.h>
#include <heed/io/bids/trial_plan.h>

#include <map>
#include <mutex>
#include <string>

namespace heed::pipeline {

// Before and after a trial filters may look so far, where there is something to see.
inline constexpr Seconds filter_run_in{10};

// The rows of a trial at the target rate: row k lies at onset + k / rate.
struct TrialRows {
  Seconds onset{};
  Index samples = 0;
};

// samples x 1, band-passed. Sound of a long file is read in pieces. Where a speaker says nothing there is silence, 0.
// Throws what reading the files does, and bad_data if the speaker is silent throughout.
[[nodiscard]] SampleMatrix speaker_track(const io::BidsDataset& dataset, const io::SpeakerPieces& speaker,
                                         const TrialRows& rows, const Preprocessing& how);

// The same, each made once: participants hear the same recordings. What one holds is small beside a participant's EEG.
// May be used by several threads; who comes second waits for the first.
class SpeakerTracks {
 public:
  SpeakerTracks(const io::BidsDataset& dataset, Preprocessing how) : dataset_(dataset), how_(std::move(how)) {}

  [[nodiscard]] SampleMatrix track(const io::SpeakerPieces& speaker, const TrialRows& rows);

 private:
  struct Entry {
    std::once_flag made{};
    SampleMatrix track{};
  };

  const io::BidsDataset& dataset_;
  Preprocessing how_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by pieces and their place in the trial
};

}  // namespace heed::pipeline
