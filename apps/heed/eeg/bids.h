// SPDX-License-Identifier: MIT
// `heed bids`: a BIDS App. What its two levels share.
#pragma once

#include <heed/decode/window_sums.h>
#include <heed/pipeline/score.h>

#include <filesystem>
#include <optional>
#include <string>

#include "eeg/folder_verbs.h"
#include "model_options.h"

namespace heed::app {

struct BidsFlags {
  pipeline::ScoreRequest request;
  PopulationFlags population;
  std::string dataset;
  std::string output;
  std::string level;
  bool skip_validation = false;
  std::string switch_every;  // group level
  ChainFlags chain;
  std::string command;  // as it was typed, for the foot of pages
};

// Both give the exit code.
int run_participant_level(const BidsFlags& flags);
int run_group_level(const BidsFlags& flags);

// "windows of 1 s every 0.25 s", "steps of 0.25 s"
[[nodiscard]] std::string windows_words(const decode::WindowLayout& layout);

// What became of a participant, beside its results: written last, so that who has one is finished. Another start of
// the program passes over those who are done with the same data and options.
struct ParticipantRecord {
  std::string key{};                     // of data, options and version: another key, and the work is done again
  std::string data_digest{};             // of the participant's files
  std::string decoder{};                 // desc- of its scores
  std::string choice{};                  // digest of decoder and preparation
  std::string method{};                  // the same in words
  std::optional<std::string> failure{};  // why there are no results
};

// Nothing where there is none, or none that can be read.
[[nodiscard]] std::optional<ParticipantRecord> read_record(const std::filesystem::path& folder, const std::string& id);
void write_record(const std::filesystem::path& folder, const std::string& id, const ParticipantRecord& record);

}  // namespace heed::app
