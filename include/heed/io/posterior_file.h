// SPDX-License-Identifier: MIT
// What a tracker made of a participant, one row per window: `*_posterior.tsv` and its sidecar.
// Columns onset, trial (where trials have names), one per speaker, decision, attended (where known).
#pragma once

#include <heed/data/scored.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct PosteriorWriteOptions {
  int digits = 6;                              // significant, 1..17; 17 reads back exactly
  std::string method{};                        // of the tracker, e.g. "causal"
  std::optional<double> switch_probability{};  // per window and target; nothing where a whole chain was given
  bool unknown_switch_probability = false;     // the participant's `switching` tells what was found of it
  std::string emission{};                      // one line for people; describe() of model_file.h makes it
  std::vector<std::string> sources{};          // files the posteriors were made from
};

// Table and sidecar appear together, or neither; only the table for "-". An infinite look-ahead (all of
// the trial is seen) is "end of trial" in the sidecar. LogEvidence is the sum over trials.
// Throws cannot_create, io, or invalid_argument if the participant cannot be written so.
void write_posteriors(const std::filesystem::path& path, const TrackedParticipant& participant,
                      const PosteriorWriteOptions& options = {});

struct PosteriorFile {
  TrackedParticipant participant{};     // log-evidence and windows held are not read back
  std::vector<std::string> warnings{};  // without the file's name
};

// Window length as for scores, look-ahead from the sidecar, else 0. Every window has its row, every row
// holds probabilities that sum to one and a decision; else Error(bad_data) with the row.
[[nodiscard]] PosteriorFile read_posteriors(const std::filesystem::path& path);

// The same from memory. The participant has no id.
[[nodiscard]] PosteriorFile parse_posteriors(std::string_view table, std::optional<std::string_view> sidecar = {});

}  // namespace heed::io
