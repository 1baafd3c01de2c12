// SPDX-License-Identifier: MIT
// One decoder from all trials of one participant, or pooled over many.
#pragma once

#include <pipeline/decoding/listener_prior.h>
#include <pipeline/decoding/scaled_trials.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace heed::pipeline {

// Where, and how late, the decoded signal shows on the scalp.
struct ForwardPattern {
  std::vector<std::string> channels{};
  std::vector<Seconds> lags{};
  Matrix values{};  // channels x lags; of CCA the first pair, of several targets the first
};

struct TrainedDecoder {
  Decoder decoder{};
  ForwardPattern pattern{};
};

// Gives participant k. Called twice for CCA over several participants: only one is in memory at a time.
using LoadTrials = std::function<ParticipantTrials(std::size_t)>;

// CCA and least squares; CSP is not kept in files (unsupported). Of several participants the discriminant of CCA and a
// ridge that is chosen come from leaving each participant out in turn; of one, from an inner cross-validation over its
// trials. Throws bad_data without a labelled trial, and where participants differ in channels, naming them.
[[nodiscard]] TrainedDecoder train(std::size_t participants, const LoadTrials& load, const DecoderChoice& choice,
                                   Seconds window);

// Of one listener, with what others lend; their runs are among those the decoder was trained on.
[[nodiscard]] TrainedDecoder train(const ParticipantTrials& participant, const DecoderChoice& choice, Seconds window,
                                   const LentPrior& lent);

// A decoder as it is kept: scales, preprocessing and where it came from filled in, and its pattern on the statistics of
// what it was trained on. `extra` is said of its origin beside the counts.
struct TrainingRecord {
  std::size_t participants = 1;
  std::set<std::string> runs{};
  std::string extra{};
};
[[nodiscard]] TrainedDecoder finished(Decoder decoder, const decode::TrialStatistics& statistics,
                                      const DecoderChoice& choice, const TrainingRecord& record);

}  // namespace heed::pipeline
