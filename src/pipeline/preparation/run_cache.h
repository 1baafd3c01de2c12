// SPDX-License-Identifier: MIT
// Prepared runs by what they were made of: the bytes of recording, events and stimuli, and how they were prepared. A
// file in the cache that is damaged is as good as none.
#pragma once

#include <io/digest.h>
#include <pipeline/preparation/preparation.h>
#include <pipeline/preparation/run_signals.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace heed::pipeline {

// Part of every key. To be raised whenever the same files and preprocessing give other signals, so that what an older
// heed kept is not found; a test holds it to the signals themselves (preparation_test, PreparedSignalsAreThoseOfTheir
// Version).
inline constexpr int prepared_version = 1;

class RunCache {
 public:
  // Throws cannot_create where the folder cannot be made, unless it is the default one. Without a folder everything is
  // made anew.
  RunCache(const io::BidsDataset& dataset, std::optional<std::filesystem::path> folder);

  [[nodiscard]] const std::optional<std::filesystem::path>& folder() const noexcept { return folder_; }
  [[nodiscard]] std::vector<FoundBad> bad_channels(const io::BidsRun& run, const RunPlan& plan);
  [[nodiscard]] PreparedRun run(const RunRequest& request, SpeakerTracks& tracks);
  // Of everything a run is made from.
  [[nodiscard]] std::string content_digest(const io::BidsRun& run);
  [[nodiscard]] std::vector<TrialSource> sources(const io::BidsRun& run);

 private:
  // Of a file, once for all runs that use it.
  [[nodiscard]] std::string file_digest(const std::filesystem::path& path);
  [[nodiscard]] std::string key_of(const RunRequest& request);
  [[nodiscard]] io::Digest recording_digest(const io::BidsRun& run);
  void add_stimuli(io::Digest& digest, const ListeningEvents& events);

  const io::BidsDataset* dataset_;
  std::optional<std::filesystem::path> folder_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::map<std::filesystem::path, std::string> digests_;
};

}  // namespace heed::pipeline
