// SPDX-License-Identifier: MIT
// Scores of a decoder, one row per window: `*_scores.tsv` and its sidecar `*_scores.json`.
// Reserved columns onset, duration, trial, attended, decision; every other column is a speaker.
// A row with n/a for any score, and every window of a gap, is a missing window: NaN for all speakers.
#pragma once

#include <heed/data/scored.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct ScoreFile {
  ScoredParticipant participant;
  std::vector<std::string> warnings;  // without the file's name
};

struct ScoreReadOptions {
  // Names of the states: the file is then a feature file, whose columns are features of the window and not
  // scores of speakers, and `attended` holds one of these names.
  std::vector<std::string> states{};
  // The scores may be probabilities of a classifier. Otherwise a table with a decision for every window and rows that
  // sum to one is taken for a posterior file, and refused: tracked twice, everything would count twice.
  bool probabilities = false;
};

// "-" is standard input, which has no sidecar. Errors name the file; not_found, io, or bad_data with the row.
[[nodiscard]] ScoreFile read_scores(const std::filesystem::path& path, const ScoreReadOptions& options = {});

// The same from memory. The participant has no id. Scores are finite or -inf; their range is the emission's business.
[[nodiscard]] ScoreFile parse_scores(std::string_view table, std::optional<std::string_view> sidecar = {},
                                     const ScoreReadOptions& options = {});

struct ScoreWriteOptions {
  int digits = 6;                      // significant, 1..17; 17 reads back exactly, onsets included
  std::vector<std::string> sources{};  // files the scores were made from
};

// The sidecar tells the participant's origin. Table and sidecar appear together, or neither; only the table for "-". A
// column `trial` where trials have names (several trials must, each its own), `attended` where a label is known. Throws
// cannot_create, io, or invalid_argument if the participant cannot be written so.
void write_scores(const std::filesystem::path& path, const ScoredParticipant& participant,
                  const ScoreWriteOptions& options = {});

}  // namespace heed::io
