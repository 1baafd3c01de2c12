// SPDX-License-Identifier: MIT
// Signals of a BIDS folder made ready for decoders, and what all requests on such a folder have in common.
#pragma once

#include <heed/data/error.h>
#include <heed/data/note.h>
#include <heed/io/bids_dataset.h>
#include <heed/pipeline/recipe.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::pipeline {

// $XDG_CACHE_HOME/heed, else ~/.cache/heed; nothing where neither variable is set.
[[nodiscard]] std::optional<std::filesystem::path> default_cache();

// Which runs of which folder, and how the work is done. One participant per thread is in memory.
struct FolderRequest {
  std::filesystem::path dataset{};
  io::RunSelection selection{};
  // Where prepared signals and sums of listeners are kept by their contents; made if it is not there. Nothing: nowhere.
  std::optional<std::filesystem::path> cache = default_cache();
  std::size_t threads = 0;  // participants worked on at once; 0: one per core
  // Called after each participant with the stage ("scoring") and how far it is; never by two threads at once.
  std::function<void(std::string_view, std::size_t, std::size_t)> progress{};
  // Called between pieces of work, by whichever thread does them; what it throws ends the job.
  std::function<void()> interrupt{};
};

// One participant who fails does not stop the others.
struct ParticipantOutcome {
  std::string id{};                // without sub-
  std::optional<Error> failure{};  // nothing: all went well
};

// Writes the prepared signals as a BIDS folder that other programs read too.
struct PrepareRequest {
  FolderRequest folder{};
  DecoderRequest decoder{};  // of which signals are looked at; with heed's recipe envelope and onset are written
  std::filesystem::path output{};
  bool resume = false;  // participants that are there stay as they are
};

struct PrepareResult {
  Preprocessing preprocessing{};
  std::vector<ParticipantOutcome> participants{};
  heed::Notes notes{};
};

// Throws as io::read_dataset and io::select_runs do, invalid_argument for preprocessing that cannot be done,
// cannot_create for folders that cannot be made.
[[nodiscard]] PrepareResult prepare(const PrepareRequest& request);

}  // namespace heed::pipeline
