// SPDX-License-Identifier: MIT
// Scores of a decoder and the posteriors that a tracker made of them, one row per window: `*_scores.tsv` and
// `*_posterior.tsv`, each with its sidecar `.json`; of one participant or of a whole cohort.
#pragma once

#include <heed/data/scored.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// Scores. Reserved columns onset, duration, trial, attended, decision; every other column is a speaker. A row with n/a
// for any score, and every window of a gap, is a missing window: NaN for all speakers.

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

// A cohort's files as participants: files with the same sub- entity are one participant's trials,
// otherwise a file is a participant. Paths are files, or folders that are searched for them.

struct ScoresCohort {
  std::vector<ScoredParticipant> participants;
  std::vector<std::string> warnings;  // each "file: warning"
};

// Where one participant has several files, a trial is named after its file (sub-01_run-2), followed by
// "/" and its own name if it has one. Throws bad_data where a participant's files differ in window-,
// decoder- or desc-, and where files do not agree on speakers, window length or score type.
[[nodiscard]] ScoresCohort read_scores_cohort(std::span<const std::filesystem::path> paths,
                                              const ScoreReadOptions& options = {});

// One participant's scores in several window lengths, the shortest first.
struct WindowedScores {
  std::string id;
  std::vector<ScoredParticipant> lengths;
};

struct WindowedCohort {
  std::vector<WindowedScores> participants;
  std::vector<std::string> warnings;
};

// The same files taken apart by their window- entity. A participant's files must agree on speakers and score type, and
// no two entities may hold windows of the same length (bad_data); participants need not agree.
[[nodiscard]] WindowedCohort read_scores_by_window(std::span<const std::filesystem::path> paths);

struct PosteriorsCohort {
  std::vector<TrackedParticipant> participants;
  std::vector<std::string> warnings;
};

// The same for posterior files, which must agree on the look-ahead too.
[[nodiscard]] PosteriorsCohort read_posteriors_cohort(std::span<const std::filesystem::path> paths);

// Posteriors. Columns onset, trial (where trials have names), one per speaker, decision, attended (where known).

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
