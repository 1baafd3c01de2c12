// SPDX-License-Identifier: MIT
// Simulated recordings as users ask for them, and as a BIDS folder: what `heed simulate recording` and
// heed.simulate_recording write, byte for byte.
#pragma once

#include <heed/pipeline/compare.h>
#include <io/bids/dataset_writer.h>
#include <sim/recording_run.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// What is not said comes with conversations (20 listeners, 6 trials, the first 3 sustained), or is the default.
struct RecordingWishes {
  sim::RecordingCohortOptions options{};  // all that is not below
  std::optional<int> participants{};
  std::optional<int> trials{};
  std::optional<int> sustained{};
  std::optional<int> speakers{};
  std::optional<int> conversations{};        // instead of speakers: of two talkers in turns
  std::optional<SwitchInterval> interval{};  // nothing: 300 s, or half of a trial that is no longer than that
  std::vector<std::string> channels{"64"};   // a number of electrodes, or their names
};

// Throws invalid_argument for what cannot be simulated, naming the option.
[[nodiscard]] sim::RecordingCohortOptions recording_options(const RecordingWishes& wishes);

// Who is attended in each sample, by the events of the run.
[[nodiscard]] AttentionTrack attended_samples(const sim::SimulatedRun& run, const std::vector<std::string>& speakers);

struct SimulatedFolderOptions {
  io::EegFormat format = io::EegFormat::bdf;
  std::string sounds = "flac";  // or wav
  bool replace = false;         // an earlier simulation in the folder, and nothing else
};

// Each participant appears whole; an interruption leaves those before it. Throws cannot_create where the folder holds
// something that may not be replaced; what `progress` throws ends the writing.
void write_simulated_folder(const std::filesystem::path& folder, const sim::RecordingCohortOptions& cohort,
                            const SimulatedFolderOptions& options, const Progress& progress = {});

}  // namespace heed::pipeline
