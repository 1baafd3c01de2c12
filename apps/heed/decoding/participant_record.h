// SPDX-License-Identifier: MIT
// What became of a participant, beside its results: written last, so that who has one is finished. Another start of
// the program passes over those who are done with the same data and options.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace heed::app {

struct ParticipantRecord {
  std::string key{};                     // of data, options and version: another key, and the work is done again
  std::string data_digest{};             // of the participant's files
  std::string decoder{};                 // desc- of its scores
  std::string method{};                  // decoder and preparation, in words
  std::optional<std::string> failure{};  // why there are no results
};

[[nodiscard]] std::filesystem::path record_path(const std::filesystem::path& folder, const std::string& id);

// Nothing where there is none, or none that can be read.
[[nodiscard]] std::optional<ParticipantRecord> read_record(const std::filesystem::path& folder, const std::string& id);
void write_record(const std::filesystem::path& folder, const std::string& id, const ParticipantRecord& record);

}  // namespace heed::app
