// SPDX-License-Identifier: MIT
#include "decode/training/fitting.h"

#include "decode/sample_labels.h"

#include <heed/data/error.h>

#include <string>
#include <utility>

namespace heed::decode {
namespace {

void check_agree(const Trial& first, const Trial& other) {
  const char* difference = nullptr;
  if (first.channels != other.channels) difference = "channels";
  if (first.targets != other.targets) difference = "targets";
  if (first.sampling_frequency != other.sampling_frequency) difference = "sampling frequency";
  if (difference != nullptr) {
    throw Error(ErrorKind::bad_data, place_of(other) + ": its " + difference + " are not those of " + place_of(first) +
                                         "; train on trials that agree");
  }
}

InnerFold scaled(InnerFold fold) {
  const Scales scales = scales_of(fold.training);
  return {standardised(std::move(fold.training), scales), standardised(std::move(fold.held_out), scales)};
}

}  // namespace

Index attended_column(const TrialStatistics& statistics) {
  const LagRange lags = statistics.lags.stimulus;
  if (lags.first > 0 || lags.last < 0) {
    throw Error(ErrorKind::invalid_argument, "least squares needs stimulus lag 0, which is not among the lags");
  }
  return -lags.first * statistics.targets;
}

Cholesky factorised(Matrix covariance, const char* of) {
  auto factor = Cholesky::of(std::move(covariance));
  if (!factor) {
    throw Error(ErrorKind::singular, std::string("the covariance of the ") + of +
                                         " cannot be inverted: channels are flat, equal, or sums of others; use a "
                                         "ridge above 0 (0.1 is usual) or leave them out");
  }
  return std::move(*factor);
}

Matrix solve_least_squares(TrialStatistics statistics, const Regularisation& regularisation) {
  Matrix weights = statistics.xy.middleCols(attended_column(statistics), statistics.targets);
  const Cholesky factor = factorised(regularised(std::move(statistics), regularisation), "EEG");
  factor.solve(weights);
  return weights;
}

TrialStatistics training_total(std::span<const TrainingTrial> trials, const DecoderLags& lags) {
  if (trials.empty()) throw Error(ErrorKind::bad_data, "no trial to train on");
  TrialStatistics sum;
  for (const TrainingTrial& trial : trials) {
    check_agree(*trials.front().trial, *trial.trial);
    if (trial.statistics->lags != lags) {
      throw Error(ErrorKind::invalid_argument,
                  place_of(*trial.trial) + ": its statistics have lags other than the decoder's");
    }
    sum += *trial.statistics;
  }
  return sum;
}

Decoder blank_decoder(std::span<const TrainingTrial> trials, const TrainingOptions& options) {
  const Trial& first = *trials.front().trial;
  Decoder decoder;
  decoder.channels = first.channels;
  decoder.targets = first.targets;
  decoder.eeg_lags = options.lags.eeg;
  decoder.stimulus_lags = options.lags.stimulus;
  decoder.preprocessing.sampling_frequency = first.sampling_frequency;
  decoder.rule = options.rule;
  return decoder;
}

TrialStatistics scaled_for(Decoder& decoder, TrialStatistics statistics, const TrainingOptions& options) {
  if (options.standardise) {
    const Scales scales = scales_of(statistics);
    decoder.eeg_scales = scales.eeg;
    decoder.stimulus_scales = scales.stimulus;
    statistics = standardised(std::move(statistics), scales);
  }
  if (options.prior) return with_prior(std::move(statistics), *options.prior);
  return statistics;
}

Regularisation settled(std::span<const TrainingTrial> trials, const TrainingOptions& options) {
  if (options.regularisation.kind != RegularisationKind::cross_validated) return options.regularisation;
  std::vector<InnerFold> folds;
  for_each_fold(trials, training_total(trials, options.lags), [&](TrainingFold fold) {
    TrialStatistics held_out;
    for (const HeldOutPart& part : fold.held_out) {
      const TrainingTrial& trial = trials[part.trial];
      const bool whole = part.samples.count == trial.trial->samples();
      held_out += whole ? *trial.statistics : trial_statistics(slice(*trial.trial, part.samples), options.lags);
    }
    InnerFold inner{std::move(fold.training), std::move(held_out)};
    if (options.standardise) inner = scaled(std::move(inner));
    if (options.prior) inner.training = with_prior(std::move(inner.training), *options.prior);
    folds.push_back(std::move(inner));
  });
  const std::vector<double> grid =
      options.regularisation.grid.empty() ? default_ridge_grid() : options.regularisation.grid;
  return {RegularisationKind::ridge, choose_ridge(folds, grid), {}};
}

}  // namespace heed::decode
