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

TrainingFold without_trial(std::span<const TrainingTrial> trials, const TrialStatistics& sum, std::size_t j) {
  TrainingFold fold{sum, {{j, {0, trials[j].trial->samples()}}}};
  fold.training -= *trials[j].statistics;
  return fold;
}

constexpr Index blocks = 5;

// The b-th block of the speech: one piece or, where it is heard again and again, one in each repetition.
std::vector<SampleRange> block_of(const Trial& trial, Index period, Index b) {
  std::vector<SampleRange> pieces;
  for (Index start = 0; start < trial.samples(); start += period) {
    const Index begin = std::min(start + (b * period / blocks), trial.samples());
    const Index end = std::min(start + ((b + 1) * period / blocks), trial.samples());
    if (end > begin) pieces.push_back({begin, end - begin});
  }
  return pieces;
}

// periods: of the trials' speech.
TrainingFold without_block(std::span<const TrainingTrial> trials, std::span<const Index> periods,
                           const DecoderLags& lags, Index b) {
  constexpr Seconds guard{1};
  TrainingFold fold;
  for (std::size_t j = 0; j < trials.size(); ++j) {
    const Trial& trial = *trials[j].trial;
    const auto margin = static_cast<Index>(std::ceil(guard * trial.sampling_frequency));
    std::vector<SampleRange> left_out;
    for (const SampleRange& part : block_of(trial, periods[j], b)) {
      fold.held_out.push_back({j, part});
      left_out.push_back({part.first - margin, part.count + 2 * margin});
    }
    fold.training += trial_statistics(trial, lags, left_out);
  }
  return fold;
}

}  // namespace

LeastSquaresDecoder fit_least_squares(TrialStatistics statistics, const Regularisation& regularisation) {
  const Index rows = statistics.targets * statistics.lags.eeg.count();
  const Index channels = statistics.channels;
  const Matrix solved = solve_least_squares(std::move(statistics), regularisation).transpose();
  return {Eigen::Map<const Matrix>(solved.data(), rows, channels)};
}

std::vector<LeastSquaresDecoder> fit_leaving_one_out(std::span<const TrialStatistics> trials,
                                                     const Regularisation& regularisation) {
  if (trials.size() < 2) {
    throw Error(ErrorKind::bad_data, "one trial alone cannot be cross-validated; at least 2 are needed");
  }
  const TrialStatistics sum = total(trials);
  std::vector<LeastSquaresDecoder> decoders;
  const bool choose = regularisation.kind == RegularisationKind::cross_validated;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    TrialStatistics training = sum;
    training -= trials[i];
    const Regularisation chosen = choose ? chosen_without(trials, i, training, regularisation) : regularisation;
    decoders.push_back(fit_least_squares(std::move(training), chosen));
  }
  return decoders;
}

std::vector<TrainingFold> training_folds(std::span<const TrainingTrial> trials, const DecoderLags& lags) {
  std::vector<TrainingFold> folds;
  for_each_fold(trials, training_total(trials, lags), [&](TrainingFold fold) { folds.push_back(std::move(fold)); });
  return folds;
}

void for_each_fold(std::span<const TrainingTrial> trials, const TrialStatistics& sum,
                   const std::function<void(TrainingFold)>& take) {
  if (trials.size() >= 3) {
    for (std::size_t j = 0; j < trials.size(); ++j) take(without_trial(trials, sum, j));
    return;
  }
  std::vector<Index> periods;
  for (const TrainingTrial& one : trials) periods.push_back(repetition_of(*one.trial).value_or(one.trial->samples()));
  for (Index b = 0; b < blocks; ++b) take(without_block(trials, periods, sum.lags, b));
}

Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options) {
  return train_least_squares(trials, options, training_total(trials, options.lags));
}

Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options,
                            TrialStatistics sum) {
  Decoder decoder = blank_decoder(trials, options);
  decoder.stimulus_lags = {0, 0};
  TrialStatistics scaled = scaled_for(decoder, std::move(sum), options);
  decoder.filters = fit_least_squares(std::move(scaled), settled(trials, options));
  return decoder;
}

}  // namespace heed::decode
