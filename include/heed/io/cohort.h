// SPDX-License-Identifier: MIT
// A study's score files as participants: files with the same sub- entity are one participant's trials,
// otherwise a file is a participant. The result does not depend on the order the files are given in.
#pragma once

#include <heed/data/cohort.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

struct ScoresCohort {
  std::vector<ScoredParticipant> participants;
  std::vector<std::string> warnings;  // each "file: warning"
};

// Files as given, folders searched to the bottom for *_scores.tsv; in order of file name, numbers by
// value (run-2 before run-10). Throws not_found (no such path, a folder without scores), invalid_argument
// (nothing given), bad_data (a file that comes twice).
[[nodiscard]] std::vector<std::filesystem::path> find_score_files(std::span<const std::filesystem::path> paths);

// Where one participant has several files, a trial is named after its file (sub-01_run-2), followed by
// "/" and its own name if it has one. Throws bad_data where a participant's files differ in window-,
// decoder- or desc-, and where files do not agree on speakers, window length or score type.
[[nodiscard]] ScoresCohort read_scores_cohort(std::span<const std::filesystem::path> paths);

}  // namespace heed::io
