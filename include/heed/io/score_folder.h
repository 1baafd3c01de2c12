// SPDX-License-Identifier: MIT
// A study's files as participants: files with the same sub- entity are one participant's trials,
// otherwise a file is a participant. Paths are files, or folders searched (discovery.h).
#pragma once

#include <heed/data/scored.h>
#include <heed/io/score_file.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

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

}  // namespace heed::io
