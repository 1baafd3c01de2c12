// SPDX-License-Identifier: MIT
#include <decode/csp.h>
#include <heed/data/error.h>
#include <heed/decode/cca.h>
#include <heed/decode/score.h>
#include <pipeline/scoring/cross_validation.h>

#include <algorithm>

namespace heed::pipeline {
namespace {

using decode::TrainingTrial;
using decode::TrialStatistics;
using decode::WindowLayout;

void check(const ParticipantTrials& participant) {
  const std::string who = "sub-" + participant.id;
  const Trial& first = participant.trials.at(0);
  if (first.speakers.size() < 2) {
    throw Error(ErrorKind::bad_data,
                who + ": has one speaker, '" + first.speakers.front() + "'; attention is decided between two or more");
  }
  const auto labelled = std::ranges::count_if(participant.trials, [](const Trial& t) { return !t.attention.empty(); });
  if (labelled < 2) {
    throw Error(ErrorKind::bad_data, who + ": has " + std::to_string(labelled) +
                                         (labelled == 1 ? " trial" : " trials") +
                                         " with attend rows; to test on one and train on others it needs two, "
                                         "or a decoder that was trained on other data, or without labels");
  }
}

// ---- decoders of channels and lags ----

class LeaveOneOut {
 public:
  LeaveOneOut(const std::vector<Trial>& trials, const DecoderChoice& choice, const FoldOptions& options)
      : trials_(trials), choice_(choice), prior_(options.prior), sums_(options.sums != nullptr ? *options.sums : own_) {
    const decode::DecoderLags lags = training_options(choice, {1}).lags;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      // Without labels there is nothing to train on; the trial is scored all the same.
      const bool labelled = !trials[k].attention.empty();
      statistics_.push_back(labelled ? sums_.statistics_of(k, trials[k], lags) : TrialStatistics{});
      // Of all folds but those of least squares the total is not asked for.
      if (labelled && choice.kind == DecoderKind::least_squares) total_ += statistics_.back();
    }
  }
  ~LeaveOneOut() {
    for (std::size_t k = 0; k < statistics_.size(); ++k) sums_.keep(k, std::move(statistics_[k]));
  }
  LeaveOneOut(const LeaveOneOut&) = delete;
  LeaveOneOut& operator=(const LeaveOneOut&) = delete;

  // Of each window length, by decoders trained on every labelled trial but this one. Least squares has one decoder for
  // all lengths, CCA a discriminant for each.
  [[nodiscard]] std::vector<Scores> scores_of(std::size_t held_out, std::span<const WindowLayout> layouts) const {
    std::vector<TrainingTrial> training;
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      if (k != held_out && !trials_[k].attention.empty()) training.push_back({&trials_[k], &statistics_[k]});
    }
    const Trial& trial = trials_[held_out];
    const decode::TrainingOptions options = options_for(trial, layouts.front().window);
    if (choice_.kind == DecoderKind::least_squares) {
      TrialStatistics rest = total_;
      if (!trial.attention.empty()) rest -= statistics_[held_out];
      return decode::score(decode::train_least_squares(training, options, std::move(rest)), trial, layouts);
    }
    std::vector<Seconds> windows;
    for (const WindowLayout& layout : layouts) windows.push_back(layout.window);
    const auto decoders = decode::train_cca(training, options, windows);
    const decode::CellSums cells = decode::cell_sums(decoders.front(), trial);
    std::vector<Scores> scores;
    for (std::size_t w = 0; w < layouts.size(); ++w) {
      scores.push_back(decode::scores_from(decoders[w], cells, layouts[w]));
    }
    return scores;
  }

 private:
  [[nodiscard]] decode::TrainingOptions options_for(const Trial& held_out, Seconds window) const {
    decode::TrainingOptions options = training_options(choice_, window);
    if (prior_ == nullptr) return options;
    options.prior = prior_->lend({&held_out.name, 1}, {trials_.front().channels, options.lags}).cross;
    return options;
  }

  const std::vector<Trial>& trials_;
  const DecoderChoice& choice_;
  const ListenerPrior* prior_;
  EegSums own_{};
  EegSums& sums_;
  std::vector<TrialStatistics> statistics_;
  TrialStatistics total_;
};

// ---- what comes of it ----

std::vector<ScoredParticipant> empty_results(const ParticipantTrials& participant, ScoreType type,
                                             std::span<const WindowLayout> layouts) {
  std::vector<ScoredParticipant> results;
  for (const WindowLayout& layout : layouts) {
    results.push_back({.id = participant.id,
                       .speakers = participant.trials.at(0).speakers,
                       .type = layout.steps ? ScoreType::step_cosine : type});
  }
  return results;
}

void add_trial(std::vector<ScoredParticipant>& results, const Trial& trial, std::vector<Scores> scores) {
  for (std::size_t w = 0; w < results.size(); ++w) {
    AttentionTrack attention = decode::attention_track(trial, {scores[w].window, scores[w].hop});
    results[w].trials.push_back({trial.name, trial.onset, std::move(scores[w]), std::move(attention)});
  }
}

// CSP weighs the energy of whole windows.
std::vector<Seconds> lengths_without_hop(std::span<const WindowLayout> layouts) {
  std::vector<Seconds> windows;
  for (const WindowLayout& layout : layouts) {
    if (layout.hop != layout.window || layout.steps) {
      throw Error(ErrorKind::unsupported, "scores of CSP have windows end to end; leave out hop and step, or use ls");
    }
    windows.push_back(layout.window);
  }
  return windows;
}

}  // namespace

std::vector<ScoredParticipant> cross_validate(const ParticipantTrials& participant, const DecoderChoice& choice,
                                              std::span<const WindowLayout> layouts, const FoldOptions& options) {
  if (choice.kind == DecoderKind::csp && options.prior != nullptr) {
    throw Error(ErrorKind::unsupported, "CSP decodes rhythms: a population's speech does not help it; use ls or cca");
  }
  check(participant);
  const auto& trials = participant.trials;
  const bool correlations = choice.kind == DecoderKind::least_squares;
  auto results = empty_results(participant, correlations ? ScoreType::correlation : ScoreType::log_odds, layouts);
  try {
    if (choice.kind == DecoderKind::csp) {
      const std::vector<Seconds> windows = lengths_without_hop(layouts);
      std::vector<const Trial*> all;
      for (const Trial& trial : trials) all.push_back(&trial);
      auto scores = decode::cross_validate_csp(all, windows);
      for (std::size_t k = 0; k < trials.size(); ++k) add_trial(results, trials[k], std::move(scores[k]));
      return results;
    }
    const LeaveOneOut folds(trials, choice, options);
    for (std::size_t k = 0; k < trials.size(); ++k) {
      if (options.interrupt) options.interrupt();
      add_trial(results, trials[k], folds.scores_of(k, layouts));
    }
  } catch (const Error& error) {
    throw error.within("sub-" + participant.id);
  }
  return results;
}

std::vector<ScoredParticipant> score_trials(const ParticipantTrials& participant, const Decoder& decoder,
                                            std::span<const WindowLayout> layouts) {
  auto results = empty_results(participant, decode::score_type(decoder), layouts);
  try {
    for (const Trial& trial : participant.trials) add_trial(results, trial, decode::score(decoder, trial, layouts));
  } catch (const Error& error) {
    throw error.within("sub-" + participant.id);
  }
  return results;
}

}  // namespace heed::pipeline
