// SPDX-License-Identifier: MIT
// Least-squares decoders: the stimulus of the attended speaker reconstructed from the EEG of the quarter of a second
// after it (docs/decoding.md, Least squares). Also what all decoders share when they are trained on trials.
#pragma once

#include <heed/decode/prior.h>
#include <heed/decode/regularisation.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::decode {

// weights = (regularised xx)^-1 xy, every target from one factorisation. Takes stimulus lag 0 of wider statistics.
// Throws singular if the covariance cannot be inverted, invalid_argument for `cross_validated`.
[[nodiscard]] LeastSquaresDecoder fit_least_squares(const TrialStatistics& statistics,
                                                    const Regularisation& regularisation);

// Leave one trial out: decoder i is fitted on all trials but i (the total minus one: one factorisation each).
// `cross_validated` chooses its lambda within the remaining trials, of which it needs 3.
// Throws bad_data with fewer than 2 trials.
[[nodiscard]] std::vector<LeastSquaresDecoder> fit_leaving_one_out(std::span<const TrialStatistics> trials,
                                                                   const Regularisation& regularisation);

// A trial to train on and its sums, which must be of the lags asked for. Both must outlive the call.
struct TrainingTrial {
  const Trial* trial = nullptr;
  const TrialStatistics* statistics = nullptr;
};

struct TrainingOptions {
  DecoderLags lags{};
  Regularisation regularisation{};
  ScoreRule rule{};          // of the decoder's scores; the discriminant of CCA learns from scores by the same rule
  bool standardise = false;  // for causal signals: divide by the training data's scales, which the decoder then keeps
  Index pairs = 10;          // of CCA
  double stimulus_ridge = 1e-3;       // of CCA
  Seconds window{1};                  // of CCA: the length whose correlations the discriminant learns
  std::optional<CrossPrior> prior{};  // mixed into every fit, those of inner folds too
};

// A part of the training data held out within it. `held_out` are samples of trial `trial`.
struct HeldOutPart {
  std::size_t trial = 0;
  SampleRange samples{};
};
struct TrainingFold {
  TrialStatistics training{};  // neither the held-out samples nor a guard of 1 s around them
  std::vector<HeldOutPart> held_out{};
};

// The training trials in turn if there are at least 3; else 5 folds, each with the k-th fifth of every trial held out.
// Throws bad_data without trials.
[[nodiscard]] std::vector<TrainingFold> training_folds(std::span<const TrainingTrial> trials, const DecoderLags& lags);

// A whole decoder; its preprocessing, participants and origin are the caller's to fill in. Throws bad_data if trials
// differ in channels, targets or rate.
[[nodiscard]] Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options);
// The same with the sums of the trials at hand: a total of many trials minus one is not added up again for each.
[[nodiscard]] Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options,
                                          TrialStatistics sum);

}  // namespace heed::decode
