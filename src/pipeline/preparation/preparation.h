// SPDX-License-Identifier: MIT
// Participants of a BIDS folder made ready for decoders, run by run, one at a time in memory. What was prepared is kept
// in a cache by the contents it was made of: another run of the program finds it, and nothing stale is ever found.
#pragma once

#include <data/prepared_run.h>
#include <heed/data/preprocessing.h>
#include <heed/io/bids_dataset.h>
#include <heed/pipeline/prepare.h>

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
  std::vector<PreparedRun> runs{};  // the same channels and speakers, in the same order
  heed::Notes notes{};              // channels left out and why
};

// What a trial was made from, as digests of contents: whether two listeners heard the same sounds, and whether two
// recordings are one under two names.
struct TrialSource {
  std::string trial{};                 // as Trial::name
  std::string run{};                   // as BidsRun::name
  std::string recording{};             // of the file that holds the EEG's samples; headers name files, and so change
  std::vector<std::string> stimuli{};  // of every sound that was played, each once, sorted
};

struct PreparationOptions {
  Preprocessing preprocessing{};
  std::optional<std::filesystem::path> cache{};  // a folder, made where it is not there; nothing: no cache
  // Called before each run is looked at, by whoever calls prepare(); what it throws ends the preparation.
  std::function<void()> interrupt{};
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

  // Where what was made is kept; nothing: nowhere.
  [[nodiscard]] const std::optional<std::filesystem::path>& cache() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A folder as requests work on it. Not to be moved: the preparation looks at the dataset.
class OpenFolder {
 public:
  // Throws as io::read_dataset, io::select_runs and Preparation do.
  OpenFolder(FolderRequest request, const Preprocessing& preprocessing);
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  [[nodiscard]] const FolderRequest& request() const noexcept { return request_; }
  [[nodiscard]] const io::BidsDataset& dataset() const noexcept { return dataset_; }
  [[nodiscard]] const std::vector<io::ParticipantRuns>& participants() const noexcept { return participants_; }
  [[nodiscard]] const Preparation& preparation() const noexcept { return preparation_; }

  // What should be known of the folder before anything is computed.
  [[nodiscard]] heed::Notes notes() const;

  [[nodiscard]] PreparedParticipant prepare(const io::ParticipantRuns& one) const {
    return preparation_.prepare(one.id, one.runs);
  }
  // Of all runs of a participant that say what was played, selected or not.
  [[nodiscard]] std::vector<TrialSource> sources_of(const std::string& id) const;

  // Calls work(k) for k = 0 ... pieces-1, as many at once as the request says; [k] is why piece k failed. What is no
  // Error (a bug, an interruption) is thrown on.
  std::vector<std::optional<Error>> for_each(std::string_view stage, std::size_t pieces,
                                             const std::function<void(std::size_t)>& work) const;

 private:
  FolderRequest request_;
  io::BidsDataset dataset_;
  std::vector<io::ParticipantRuns> participants_;
  Preparation preparation_;
};

}  // namespace heed::pipeline
