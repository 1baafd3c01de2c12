// SPDX-License-Identifier: MIT
// What one speaker said during a trial, as decoders take it: pieces of sound are placed on the recording's clock and
// added, then made an envelope; envelopes that were given are placed and added as they are. docs/preprocessing.md.
#pragma once

#include <heed/data/preprocessing.h>
#include <heed/data/recording.h>
#include <heed/io/bids/dataset.h>
#include <heed/io/bids/trial_plan.h>

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

}  // namespace heed::pipeline
