// SPDX-License-Identifier: MIT
// One decoder from all trials of one participant, with or without labels, or pooled over many.
#pragma once

#include <heed/pipeline/train.h>
#include <pipeline/scoring/lender.h>
#include <pipeline/scoring/scaled_trials.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace heed::pipeline {

// Gives participant k. Called twice for CCA over several participants: only one is in memory at a time.
using LoadTrials = std::function<ParticipantTrials(std::size_t)>;

// CCA and least squares; CSP is not kept in files (unsupported). Of several participants the discriminant of CCA and a
// ridge that is chosen come from leaving each participant out in turn; of one, from an inner cross-validation over its
// trials. Throws bad_data without a labelled trial, and where participants differ in channels, naming them.
[[nodiscard]] TrainedDecoder train(std::size_t participants, const LoadTrials& load, const DecoderChoice& choice,
                                   Seconds window);

// Of one listener, with what others lend; their runs are among those the decoder was trained on. Null: nobody lends.
[[nodiscard]] TrainedDecoder train(const ParticipantTrials& participant, const DecoderChoice& choice, Seconds window,
                                   const LentPrior* lent = nullptr);

// For a listener of whom nobody knows whom they attended: decoder, scores, attention by forward-backward, and a decoder
// again, of every speaker as much as he was likely attended. With a population it starts from the others and leans on
// them; without one it starts from all speakers at once (docs/recipe.md, Without labels).
// Labels of the trials are not looked at. `lent` must fit the trials (ListenerPrior::lend); null: no population.
// Least squares only (unsupported otherwise), with a given ridge or Ledoit-Wolf (choosing one needs labels:
// invalid_argument). Throws bad_data with one speaker, or where no window can be scored: silence, flat EEG.
[[nodiscard]] LabelFreeDecoder train_label_free(const ParticipantTrials& participant, const DecoderChoice& choice,
                                                const LabelFreeOptions& options, const LentPrior* lent = nullptr);

// One listener as a TrainRequest has it.
struct ListenerTraining {
  const ParticipantTrials& trials;
  std::vector<TrialSource> sources{};  // of all the listener's trials, used or not; asked for with a lender
  const Lender* lender = nullptr;      // null: nobody lends
  Seconds window{1};
  bool label_free = false;
};
// Fills in decoder and notes, by the choice that is there. Throws as Lender::lend, train and train_label_free do.
void train_listener(const ListenerTraining& training, TrainResult& result);

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
