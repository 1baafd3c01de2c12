// SPDX-License-Identifier: MIT
// Scores of reconstructions that anybody's decoder made. What a reconstruction and attended speech have in common is
// learnt from other listeners, by CCA with the reconstruction for the one channel (docs/decoding.md, Re-scoring).
#pragma once

#include <heed/pipeline/score.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

enum class SharedSounds {
  leave_out,  // nobody's run is learnt from that has a sound of the run to be scored
  keep,       // for sets in which everybody heard the same: scores flatter a little
};

struct RescoreRequest {
  std::vector<std::filesystem::path> inputs{};  // *_reconstruction.tsv or .npy, or folders of them
  std::vector<Seconds> windows{{1}};
  std::optional<Seconds> hop{};               // from one window to the next, where they overlap; nothing: their length
  std::optional<Band> band{};                 // nothing: 0.5-9 Hz
  std::optional<Hertz> sampling_frequency{};  // nothing: 64 Hz
  SharedSounds shared_sounds = SharedSounds::leave_out;
  std::size_t threads = 0;  // listeners worked on at once; 0: one per core
  std::filesystem::path output{};
  int digits = 6;
  std::function<void(std::string_view, std::size_t, std::size_t)> progress{};  // as FolderRequest's
};

// One listener at one window length.
struct RescoringGain {
  Significance correlation{};  // of correlations as they are
  Significance rescored{};
};

struct RescoredListener {
  std::string id{};
  std::optional<Error> failure{};
  std::vector<RescoringGain> gains{};  // one per window length
};

struct RescoreResult {
  std::string decoder{};        // in words
  std::string preprocessing{};  // likewise
  std::vector<RescoredListener> participants{};
};

// Writes sub-01_run-01_desc-rescored_scores.tsv and so on into `output`, which is made if it is not there. Throws
// bad_data with fewer than two listeners, and as io::read_reconstruction does.
[[nodiscard]] RescoreResult rescore(const RescoreRequest& request);

}  // namespace heed::pipeline
