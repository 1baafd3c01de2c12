// SPDX-License-Identifier: MIT
// Reconstructions of several listeners, each scored by decoders of the others.
#pragma once

#include <heed/data/trial.h>
#include <heed/pipeline/score.h>
#include <pipeline/scoring/scaled_trials.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// CCA of the reconstruction, 128 ms before and after, with envelope and onsets of the 128 ms before; 8 pairs, shrunk
// cosine, 0.5-9 Hz.
[[nodiscard]] DecoderChoice rescorer();

struct ReconstructedListener {
  ParticipantTrials participant{};                 // one channel: the reconstruction
  std::vector<std::vector<std::string>> sounds{};  // [trial] digests of the envelopes
};

// Reconstructions of one listener, resampled, band-passed and scaled as the choice says; targets are made of the
// envelopes. Throws bad_data naming the run: a signal that never changes, is too short, or other speakers than in the
// listener's first run; invalid_argument without runs.
[[nodiscard]] ReconstructedListener prepared(std::span<const Reconstruction> runs, const DecoderChoice& choice);

// Thread-safe once made.
class Rescoring {
 public:
  // Throws bad_data with fewer than two listeners, or where two runs are the same reconstruction.
  Rescoring(std::vector<ReconstructedListener> listeners, DecoderChoice choice, SharedSounds shared);

  // [w] the scores of one listener in windows of layouts[w], each run by decoders of the others' runs. Throws bad_data
  // where nobody is left to learn from, and as train() does.
  [[nodiscard]] std::vector<ScoredParticipant> scores_of(std::size_t listener,
                                                         std::span<const decode::WindowLayout> layouts) const;

  // Names of others' runs that a run of a listener is scored by.
  [[nodiscard]] std::vector<std::string> learnt_from(std::size_t listener, std::size_t run) const;

  // What one would do without: Pearson's correlation of reconstruction and envelope.
  [[nodiscard]] ScoredParticipant plain_scores(std::size_t listener, const decode::WindowLayout& layout) const;

  [[nodiscard]] const std::vector<ReconstructedListener>& listeners() const noexcept { return listeners_; }

 private:
  // Of everybody else: labelled, and without these sounds.
  [[nodiscard]] std::vector<ParticipantTrials> teachers(std::size_t listener,
                                                        std::span<const std::string> sounds) const;
  [[nodiscard]] std::vector<Decoder> decoders(std::size_t listener, std::span<const std::string> sounds,
                                              std::span<const decode::WindowLayout> layouts) const;

  std::vector<ReconstructedListener> listeners_;
  DecoderChoice choice_;
  SharedSounds shared_;
};

}  // namespace heed::pipeline
