// SPDX-License-Identifier: MIT
#include "decode/repetition.h"
#include "decode/sample_labels.h"
#include "decode/training/fitting.h"

#include <heed/data/error.h>
#include <heed/decode/least_squares.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

// Lambda for the trials but `left_out`, each of them held out in turn.
Regularisation chosen_without(std::span<const TrialStatistics> trials, std::size_t left_out,
                              const TrialStatistics& training, const Regularisation& regularisation) {
  if (trials.size() < 4) {
    throw Error(ErrorKind::bad_data,
                std::to_string(trials.size()) +
                    " trials are too few to choose a ridge within those that remain; give a ridge, "
                    "or 4 trials");
  }
  std::vector<InnerFold> folds;
  for (std::size_t j = 0; j < trials.size(); ++j) {
    if (j == left_out) continue;
    folds.push_back({training, trials[j]});
    folds.back().training -= trials[j];
  }
  const std::vector<double> grid = regularisation.grid.empty() ? default_ridge_grid() : regularisation.grid;
  return {RegularisationKind::ridge, choose_ridge(folds, grid), {}};
}

std::vector<TrainingFold> trial_folds(std::span<const TrainingTrial> trials, const TrialStatistics& sum) {
  std::vector<TrainingFold> folds;
  for (std::size_t j = 0; j < trials.size(); ++j) {
    TrainingFold fold{sum, {{j, {0, trials[j].trial->samples()}}}};
    fold.training -= *trials[j].statistics;
    folds.push_back(std::move(fold));
  }
  return folds;
}

// The b-th block of the speech: one piece or, where it is heard again and again, one in each repetition.
std::vector<SampleRange> block_of(const Trial& trial, Index period, Index b, Index blocks) {
  std::vector<SampleRange> pieces;
  for (Index start = 0; start < trial.samples(); start += period) {
    const Index begin = std::min(start + (b * period / blocks), trial.samples());
    const Index end = std::min(start + ((b + 1) * period / blocks), trial.samples());
    if (end > begin) pieces.push_back({begin, end - begin});
  }
  return pieces;
}

std::vector<TrainingFold> block_folds(std::span<const TrainingTrial> trials, const DecoderLags& lags) {
  constexpr Index blocks = 5;
  constexpr Seconds guard{1};
  std::vector<TrainingFold> folds(blocks);
  for (std::size_t j = 0; j < trials.size(); ++j) {
    const Trial& trial = *trials[j].trial;
    const auto margin = static_cast<Index>(std::ceil(guard * trial.sampling_frequency));
    const Index period = repetition_of(trial).value_or(trial.samples());
    for (Index b = 0; b < blocks; ++b) {
      TrainingFold& fold = folds[static_cast<std::size_t>(b)];
      std::vector<SampleRange> left_out;
      for (const SampleRange& part : block_of(trial, period, b, blocks)) {
        fold.held_out.push_back({j, part});
        left_out.push_back({part.first - margin, part.count + 2 * margin});
      }
      fold.training += trial_statistics(trial, lags, left_out);
    }
  }
  return folds;
}

}  // namespace

LeastSquaresDecoder fit_least_squares(const TrialStatistics& statistics, const Regularisation& regularisation) {
  const Index lags = statistics.lags.eeg.count();
  const Matrix solved = solve_least_squares(statistics, regularisation).transpose();
  return {Eigen::Map<const Matrix>(solved.data(), statistics.targets * lags, statistics.channels)};
}

std::vector<LeastSquaresDecoder> fit_leaving_one_out(std::span<const TrialStatistics> trials,
                                                     const Regularisation& regularisation) {
  if (trials.size() < 2) {
    throw Error(ErrorKind::bad_data, "one trial alone cannot be cross-validated; at least 2 are needed");
  }
  const TrialStatistics sum = total(trials);
  std::vector<LeastSquaresDecoder> decoders;
  TrialStatistics training;  // one storage for all folds
  for (std::size_t i = 0; i < trials.size(); ++i) {
    training = sum;
    training -= trials[i];
    const bool choose = regularisation.kind == RegularisationKind::cross_validated;
    decoders.push_back(
        fit_least_squares(training, choose ? chosen_without(trials, i, training, regularisation) : regularisation));
  }
  return decoders;
}

std::vector<TrainingFold> training_folds(std::span<const TrainingTrial> trials, const DecoderLags& lags) {
  const TrialStatistics sum = training_total(trials, lags);
  return trials.size() >= 3 ? trial_folds(trials, sum) : block_folds(trials, lags);
}

Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options) {
  return train_least_squares(trials, options, training_total(trials, options.lags));
}

Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options,
                            TrialStatistics sum) {
  Decoder decoder = blank_decoder(trials, options);
  decoder.stimulus_lags = {0, 0};
  const TrialStatistics scaled = scaled_for(decoder, std::move(sum), options);
  decoder.filters = fit_least_squares(scaled, settled(trials, options));
  return decoder;
}

}  // namespace heed::decode
