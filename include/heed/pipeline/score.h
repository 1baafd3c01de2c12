// SPDX-License-Identifier: MIT
// The EEG of a BIDS folder as scores: each trial by a decoder of the participant's other trials and of what others
// lend, or by a decoder that is there already. Or the reconstructions of anybody's decoder as scores.
#pragma once

#include <heed/data/scored.h>
#include <heed/decode/adaptive_decoder.h>
#include <heed/decode/alignment.h>
#include <heed/decode/window_sums.h>
#include <heed/pipeline/population.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// Is there anything in the scores at all? Window by window, the largest score against the attended speaker.
struct Significance {
  Index windows = 0;                 // labelled and scored; bound and p-value count those that share no sample
  double chance = 0;                 // 1 / speakers
  std::optional<double> accuracy{};  // nothing without labelled windows
  std::optional<double> bound{};     // what a guesser exceeds in 5 % of such recordings
  std::optional<double> p_value{};   // of a guesser reaching this accuracy
};

// A tie is a wrong window: whoever guesses is right half the time, whoever is undecided is not.
[[nodiscard]] Significance significance_of(const ScoredParticipant& participant);

// A decoder that learns while it listens, without labels (docs/adaptation.md).
struct AdaptationRequest {
  bool learn = true;  // false: the decoder it starts from, for good
  friend bool operator==(const AdaptationRequest&, const AdaptationRequest&) = default;
};

struct ScoreRequest {
  FolderRequest folder{};
  DecoderRequest decoder{};
  PopulationRequest population{};
  std::optional<Decoder> model{};  // score by this one; then nothing is said of decoder and population
  std::string model_name{};        // for messages: model.json
  // Trials in streaming order, each window by a decoder that has not seen it; filters are causal unless they are said.
  std::optional<AdaptationRequest> adaptation{};
  std::vector<Seconds> windows{{1}};
  std::optional<Seconds> hop{};   // from one window to the next, where windows overlap; nothing: their length
  std::optional<Seconds> step{};  // instead of windows: steps of this length, scores of a type of their own
  // Files are written below it, sub-01/eeg/sub-01_..._desc-ls_scores.tsv, one per run and window length with a sidecar
  // each; the scores are then not kept in the result. Nothing: nothing is written.
  std::optional<std::filesystem::path> output{};
  int digits = 6;  // of those files; 17 reads back exactly
};

struct ParticipantScores {
  std::string id{};
  std::optional<Error> failure{};                 // then there is nothing below
  std::vector<ScoredParticipant> scores{};        // one per window length
  std::vector<Significance> significance{};       // likewise
  std::optional<decode::Alignment> alignment{};   // nothing: there was nothing to check
  std::string population{};                       // who lent how much, in words for sidecars; empty: not asked for
  std::optional<decode::LearningState> learnt{};  // by an adaptive decoder, at the end
  heed::Notes notes{};
};

struct ScoreResult {
  std::vector<decode::WindowLayout> layouts{};  // of the scores, as they were asked for
  DecoderChoice choice{};
  std::optional<Recipe> recipe{};                 // nothing: of a model, a population or CSP
  std::string decoder{};                          // in words: decoder, population, how it was tested
  std::vector<ParticipantScores> participants{};  // in the folder's order
  heed::Notes notes{};                            // on all of them
};

// Throws invalid_argument for a request that makes no sense, and as io::read_dataset and io::select_runs do; what goes
// wrong with one participant is its `failure`.
[[nodiscard]] ScoreResult score(const ScoreRequest& request);

// Re-scoring: what a reconstruction and attended speech have in common is learnt from other listeners, by CCA with the
// reconstruction for the one channel (docs/decoding.md, Re-scoring).

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
