// SPDX-License-Identifier: MIT
// Scores of a participant as files of a derivative folder: one a run and window length.
#pragma once

#include <heed/data/scored.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/score_file.h>
#include <pipeline/decoding/scaled_trials.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heed::app {

struct ScoreFiles {
  std::filesystem::path folder;
  std::string description;   // desc-ls
  bool name_window = false;  // several lengths: window-05s in the name
  io::ScoreWriteOptions options;
};

// 5 -> "window-05s_", 0.25 -> "window-0p25s_": labels of BIDS hold letters and digits.
[[nodiscard]] std::string window_entity(Seconds window);

// The name of a trial as the events of its run have it; empty: the run is one trial.
[[nodiscard]] std::string name_within_run(const std::string& trial, const std::string& run);

// The trials of one run, named as the run's events name them.
[[nodiscard]] ScoredParticipant of_run(const ScoredParticipant& participant, const pipeline::ParticipantTrials& trials,
                                       const std::string& run);

// A line for each trial with windows that hold samples which were not recorded.
[[nodiscard]] std::vector<std::string> notes_on_missing(const ScoredParticipant& participant);

void write_score_files(const ScoreFiles& files, const io::ParticipantRuns& runs,
                       const pipeline::ParticipantTrials& trials, std::span<const ScoredParticipant> by_window);

}  // namespace heed::app
