// SPDX-License-Identifier: MIT
// Scores of a participant, each trial by a decoder trained on the participant's other trials.
#pragma once

#include <heed/data/scored.h>
#include <heed/decode/window_sums.h>
#include <pipeline/scoring/eeg_sums.h>
#include <pipeline/scoring/listener_prior.h>
#include <pipeline/scoring/scaled_trials.h>

#include <functional>
#include <span>
#include <vector>

namespace heed::pipeline {

struct FoldOptions {
  // What others lend, for least squares and CCA: the prior of each trial's decoder has seen neither the listener nor
  // the trial's sounds. Null: nobody lends.
  const ListenerPrior* prior = nullptr;
  std::function<void()> interrupt{};  // called before each trial's decoder is trained; what it throws ends the work
  // Of the same trials, for whoever trains several decoders on them. Null: sums are made anew.
  EegSums* sums = nullptr;
};

// [w] the scores in windows of layouts[w], trials in order and by name. Throws bad_data with fewer than two trials that
// have labels, where trials differ in channels or speakers, or have one speaker only (nothing to choose between);
// unsupported for CSP with other than two speakers or with a prior; singular where a covariance cannot be inverted; as
// ListenerPrior::lend.
[[nodiscard]] std::vector<ScoredParticipant> cross_validate(const ParticipantTrials& participant,
                                                            const DecoderChoice& choice,
                                                            std::span<const decode::WindowLayout> layouts,
                                                            const FoldOptions& options = {});

// Scores by a decoder that is there already, whose channels the trials must have.
[[nodiscard]] std::vector<ScoredParticipant> score_trials(const ParticipantTrials& participant, const Decoder& decoder,
                                                          std::span<const decode::WindowLayout> layouts);

}  // namespace heed::pipeline
