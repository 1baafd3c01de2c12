// SPDX-License-Identifier: MIT
// Participants of a BIDS folder made ready for decoders, run by run, one at a time in memory. What was prepared is kept
// in a cache by the contents it was made of: another run of the program finds it, and nothing stale is ever found.
#pragma once

#include <data/prepared_run.h>
#include <heed/data/preprocessing.h>
#include <heed/io/bids_dataset.h>
#include <pipeline/preparation/trial_source.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

struct PreparedParticipant {
  std::string id{};
  std::vector<PreparedRun> runs{};   // the same channels and speakers, in the same order
  std::vector<std::string> notes{};  // what a user should know: channels left out and why
};

struct PreparationOptions {
  Preprocessing how{};
  std::optional<std::filesystem::path> cache{};  // a folder, made where it is not there; nothing: no cache
  // Called before each run is looked at, by whoever calls prepare(); what it throws ends the preparation.
  std::function<void()> between{};
};

// May be used by several threads at once.
class Preparation {
 public:
  // The dataset must outlive it. Throws invalid_argument for preprocessing that cannot be done, cannot_create for a
  // cache folder that cannot be made.
  Preparation(const io::BidsDataset& dataset, PreparationOptions options);
  ~Preparation();
  Preparation(Preparation&&) noexcept;
  Preparation& operator=(Preparation&&) noexcept;

  // Runs of one participant. Channels are those of the first run that all runs have; one that is bad in any run (by
  // channels.tsv, or flat, railed or empty in the recording) is bad in all. Throws bad_data, not_found, unsupported,
  // io, naming the file; bad_data where runs differ in speakers.
  [[nodiscard]] PreparedParticipant prepare(const std::string& id, std::span<const io::BidsRun> runs) const;

  // Of all bytes the runs are made from, recordings, tables and stimuli: changes when one of them does. Throws
  // not_found and io, and bad_data for events that cannot be read.
  [[nodiscard]] std::string digest_of(std::span<const io::BidsRun> runs) const;

  // What each trial of the runs is made from, in the order prepare() gives them. Throws as prepare(); no sample is
  // read.
  [[nodiscard]] std::vector<TrialSource> sources_of(std::span<const io::BidsRun> runs) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// $XDG_CACHE_HOME/heed, else ~/.cache/heed; nothing where neither variable is set.
[[nodiscard]] std::optional<std::filesystem::path> default_cache();

}  // namespace heed::pipeline
