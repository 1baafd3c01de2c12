// SPDX-License-Identifier: MIT
#include <decode/patterns.h>
#include <heed/data/error.h>
#include <heed/decode/cca.h>
#include <pipeline/scoring/training.h>

#include <algorithm>
#include <set>

namespace heed::pipeline {
namespace {

using decode::TrainingTrial;
using decode::TrialStatistics;

bool is_labelled(const Trial& trial) { return !trial.attention.empty(); }

std::string name_of(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Of signals that come scaled: they are decoded as they are.
SignalScales unit_scales(Index size) { return {Eigen::VectorXd::Zero(size), Eigen::VectorXd::Ones(size)}; }

// ---- one participant ----

struct Trained {
  Decoder decoder{};
  TrialStatistics statistics{};  // of all it was trained on
};

Trained train_on_one(const ParticipantTrials& participant, const DecoderChoice& choice,
                     const decode::TrainingOptions& options) {
  std::vector<const Trial*> labelled;
  for (const Trial& trial : participant.trials) {
    if (is_labelled(trial)) labelled.push_back(&trial);
  }
  if (labelled.empty()) {
    throw Error(ErrorKind::bad_data, "sub-" + participant.id + ": no trial has attend rows, so there is nothing to " +
                                         "train on; add them to its events.tsv");
  }
  std::vector<TrialStatistics> statistics;
  for (const Trial* trial : labelled) statistics.push_back(decode::trial_statistics(*trial, options.lags));
  std::vector<TrainingTrial> training;
  for (std::size_t k = 0; k < labelled.size(); ++k) training.push_back({labelled[k], &statistics[k]});
  return {choice.kind == DecoderKind::cca ? decode::train_cca(training, options)
                                          : decode::train_least_squares(training, options),
          decode::total(statistics)};
}

// ---- several ----

// What a participant comes down to; the EEG is let go.
struct Sums {
  std::string id{};
  std::vector<std::string> channels{};
  std::vector<std::string> targets{};
  TrialStatistics statistics{};
};

class PooledTraining {
 public:
  PooledTraining(const DecoderChoice& choice, decode::TrainingOptions options)
      : choice_(choice), options_(std::move(options)) {}

  void add(const ParticipantTrials& participant) {
    Sums sums{.id = participant.id};
    for (const Trial& trial : participant.trials) {
      if (!is_labelled(trial)) continue;
      sums.channels = trial.channels;
      sums.targets = trial.targets;
      sums.statistics += decode::trial_statistics(trial, options_.lags);
    }
    if (sums.channels.empty()) return;
    if (!sums_.empty()) check_channels(sums_.front(), sums);
    total_ += sums.statistics;
    sums_.push_back(std::move(sums));
  }

  Trained train(const LoadTrials& load, std::size_t participants) {
    if (sums_.empty()) throw Error(ErrorKind::bad_data, "no participant has a trial with attend rows to train on");
    if (options_.regularisation.kind == decode::RegularisationKind::cross_validated) choose_ridge();
    Decoder decoder = decoder_of(total_);
    if (auto* pairs = std::get_if<CcaDecoder>(&decoder.filters)) {
      pairs->discriminant = decode::fit_discriminant(moments(load, participants));
    }
    return {std::move(decoder), total_};
  }

 private:
  static void check_channels(const Sums& first, const Sums& other) {
    if (first.channels == other.channels) return;
    const std::set<std::string> a(first.channels.begin(), first.channels.end());
    const std::set<std::string> b(other.channels.begin(), other.channels.end());
    std::string odd;
    for (const std::string& name : a) odd += b.contains(name) ? "" : " " + name;
    for (const std::string& name : b) odd += a.contains(name) ? "" : " " + name;
    throw Error(ErrorKind::bad_data, "sub-" + first.id + " and sub-" + other.id + " differ in channels" +
                                         (odd.empty() ? " (their order)" : " (" + odd.substr(1) + ")") +
                                         "; interpolate bad channels to keep them all, or name those to be used");
  }

  [[nodiscard]] decode::Scales scales(const TrialStatistics& statistics) const {
    if (options_.standardise) return decode::scales_of(statistics);
    return {unit_scales(statistics.channels), unit_scales(statistics.targets)};
  }

  // The discriminant of CCA is still to come.
  [[nodiscard]] Decoder decoder_of(const TrialStatistics& statistics) const {
    const decode::Scales units = scales(statistics);
    const TrialStatistics scaled = decode::standardised(statistics, units);
    Decoder decoder;
    decoder.channels = sums_.front().channels;
    decoder.targets = sums_.front().targets;
    decoder.eeg_lags = options_.lags.eeg;
    decoder.stimulus_lags = options_.lags.stimulus;
    decoder.rule = options_.rule;
    decoder.eeg_scales = units.eeg;
    decoder.stimulus_scales = units.stimulus;
    if (choice_.kind == DecoderKind::cca) {
      CcaDecoder pairs = decode::fit_cca(scaled, {options_.regularisation, options_.stimulus_ridge, options_.pairs});
      pairs.window = options_.window;
      decoder.filters = std::move(pairs);
    } else {
      decoder.filters = decode::fit_least_squares(scaled, options_.regularisation);
    }
    return decoder;
  }

  [[nodiscard]] TrialStatistics all_but(const Sums& left_out) const {
    TrialStatistics rest = total_;
    rest -= left_out.statistics;
    return rest;
  }

  void choose_ridge() {
    std::vector<decode::InnerFold> folds;
    for (const Sums& sums : sums_) {
      const TrialStatistics rest = all_but(sums);
      const decode::Scales units = scales(rest);
      folds.push_back({decode::standardised(rest, units), decode::standardised(sums.statistics, units)});
    }
    const auto grid =
        options_.regularisation.grid.empty() ? decode::default_ridge_grid() : options_.regularisation.grid;
    options_.regularisation = {decode::RegularisationKind::ridge, decode::choose_ridge(folds, grid), {}};
  }

  // Correlations of each participant under the pairs of the others.
  [[nodiscard]] decode::DiscriminantMoments moments(const LoadTrials& load, std::size_t participants) const {
    decode::DiscriminantMoments sum;
    for (std::size_t k = 0; k < participants; ++k) {
      const ParticipantTrials participant = load(k);
      const auto known = std::ranges::find(sums_, participant.id, &Sums::id);
      if (known == sums_.end()) continue;
      const Decoder others = decoder_of(all_but(*known));
      for (const Trial& trial : participant.trials) {
        if (is_labelled(trial)) sum += decode::discriminant_moments(others, trial);
      }
    }
    return sum;
  }

  const DecoderChoice& choice_;
  decode::TrainingOptions options_;
  std::vector<Sums> sums_;
  TrialStatistics total_;
};

ForwardPattern pattern_of(const Decoder& decoder, const TrialStatistics& statistics, Hertz rate) {
  ForwardPattern pattern{.channels = decoder.channels};
  for (Index lag = decoder.eeg_lags.first; lag <= decoder.eeg_lags.last; ++lag) {
    pattern.lags.push_back({static_cast<double>(lag) / rate.value});
  }
  pattern.values = decode::forward_patterns(decoder, statistics).front().transpose();
  return pattern;
}

decode::TrainingOptions options_of(const DecoderChoice& choice, Seconds window) {
  if (choice.kind == DecoderKind::csp) {
    throw Error(ErrorKind::unsupported, "CSP decoders are not kept in files: scoring trains its own");
  }
  return training_options(choice, window);
}

}  // namespace

TrainedDecoder train(std::size_t participants, const LoadTrials& load, const DecoderChoice& choice, Seconds window) {
  if (participants == 1) return train(load(0), choice, window);
  PooledTraining training(choice, options_of(choice, window));
  std::set<std::string> runs;
  for (std::size_t k = 0; k < participants; ++k) {
    const ParticipantTrials participant = load(k);
    runs.insert(participant.runs.begin(), participant.runs.end());
    training.add(participant);
  }
  Trained trained = training.train(load, participants);
  return finished(std::move(trained.decoder), trained.statistics, choice, {participants, std::move(runs), {}});
}

TrainedDecoder train(const ParticipantTrials& participant, const DecoderChoice& choice, Seconds window,
                     const LentPrior* lent) {
  decode::TrainingOptions options = options_of(choice, window);
  TrainingRecord record{.runs = {participant.runs.begin(), participant.runs.end()}};
  if (lent != nullptr) {
    options.prior = lent->cross;
    record.extra = describe(*lent);
  }
  Trained trained = train_on_one(participant, choice, options);
  TrainedDecoder result = finished(std::move(trained.decoder), trained.statistics, choice, record);
  if (lent != nullptr) result.decoder.runs.insert(result.decoder.runs.end(), lent->runs.begin(), lent->runs.end());
  return result;
}

TrainedDecoder finished(Decoder decoder, const TrialStatistics& statistics, const DecoderChoice& choice,
                        const TrainingRecord& record) {
  TrainedDecoder result{.pattern = pattern_of(decoder, statistics, choice.preprocessing.sampling_frequency)};
  result.decoder = std::move(decoder);
  if (result.decoder.eeg_scales.mean.size() == 0) {
    result.decoder.eeg_scales = unit_scales(std::ssize(result.decoder.channels));
    result.decoder.stimulus_scales = unit_scales(std::ssize(result.decoder.targets));
  }
  result.decoder.preprocessing = choice.preprocessing;
  result.decoder.participants = record.participants;
  result.decoder.runs.assign(record.runs.begin(), record.runs.end());
  result.decoder.origin = name_of(record.participants, "participant") + ", " + name_of(record.runs.size(), "run") +
                          (record.extra.empty() ? "" : ", " + record.extra);
  return result;
}

}  // namespace heed::pipeline
