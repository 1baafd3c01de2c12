// SPDX-License-Identifier: MIT
// Least-squares decoders: the stimulus of the attended speaker reconstructed from the EEG of the quarter of a second
// after it (docs/decoding.md, Least squares and Regularisation). Also what all decoders share when they are trained.
#pragma once

#include <heed/decode/trial_statistics.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace heed::decode {

// What is added to a covariance before it is inverted.

enum class RegularisationKind {
  ridge,            // R + lambda tr(R)/n I
  cross_validated,  // the same, lambda chosen within the training data
  ledoit_wolf,      // takes samples as independent and so shrinks too little for EEG; for comparison
};

struct Regularisation {
  RegularisationKind kind = RegularisationKind::ridge;
  double ridge = 0.1;          // lambda of `ridge`
  std::vector<double> grid{};  // lambdas of `cross_validated`; empty: default_ridge_grid()
  friend bool operator==(const Regularisation&, const Regularisation&) = default;
};

// 0.001 ... 10, two a decade.
[[nodiscard]] std::vector<double> default_ridge_grid();

// How much of the mean variance replaces the covariance: R -> (1 - s) R + s tr(R)/n I. 0 ... 1.
[[nodiscard]] double ledoit_wolf_shrinkage(const TrialStatistics& statistics);

// The regularised sum of x x'. Throws invalid_argument for a negative ridge and for `cross_validated`, which
// wants choose_ridge first; singular if all channels are flat.
[[nodiscard]] Matrix regularised(TrialStatistics statistics, const Regularisation& regularisation);

// Training data with a part held out, both as sums.
struct InnerFold {
  TrialStatistics training{};
  TrialStatistics held_out{};
};

// The lambda whose least-squares decoders, fitted on the training parts, correlate best with the attended stimulus of
// the parts held out, on average over folds; the larger of two that are equal. One Cholesky factorisation a fold and
// lambda. Throws bad_data with fewer than 2 folds, invalid_argument for a grid that is empty or not positive.
[[nodiscard]] double choose_ridge(std::span<const InnerFold> folds, std::span<const double> grid);

// What other listeners know of how speech shows in EEG, lent to one who has little data. Only products of EEG and
// speech are lent: a listener's own noise, and so the covariance of the EEG, is nobody else's (docs/recipe.md).

struct CrossPrior {
  Matrix xy{};        // mean of x y' a sample over other listeners, of signals with deviation 1; as TrialStatistics::xy
  double weight = 0;  // b, 0 ... 1: how much of it replaces the listener's own
};

// b = .55 M / (M + 5) of M other listeners: three say next to nothing, eight a third.
[[nodiscard]] double automatic_prior_weight(std::size_t others) noexcept;

// xy -> (1 - b) xy + b samples prior; all else stays the listener's. The statistics must be of signals with
// deviation 1. Throws invalid_argument for a prior of another shape, or a weight outside 0 ... 1.
[[nodiscard]] TrialStatistics with_prior(TrialStatistics statistics, const CrossPrior& prior);

// Means of products at EEG delays first ... last behind the speech (delays x channels rows, x targets), laid out as xy
// of any lags whose differences they cover: speech and EEG are taken as stationary, so a product depends on the
// difference alone. Throws invalid_argument where the delays do not reach.
struct DelayedProducts {
  LagRange delays{};
  Index channels = 0;
  Matrix values{};
};
[[nodiscard]] LagRange delays_for(const DecoderLags& lags) noexcept;
[[nodiscard]] Matrix cross_products(const DelayedProducts& products, const DecoderLags& lags);

// weights = (regularised xx)^-1 xy, every target from one factorisation. Takes stimulus lag 0 of wider statistics.
// Throws singular if the covariance cannot be inverted, invalid_argument for `cross_validated`.
[[nodiscard]] LeastSquaresDecoder fit_least_squares(TrialStatistics statistics, const Regularisation& regularisation);

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

// What CCA's discriminant learns to tell apart.
enum class DiscriminantForm {
  per_speaker,  // correlations of attended and of unattended speakers: log-odds of each speaker
  difference,   // the attended speaker's less those of another: log-odds between two speakers are differences of scores
};

struct TrainingOptions {
  DecoderLags lags{};
  Regularisation regularisation{};
  ScoreRule rule{};          // of the decoder's scores; the discriminant of CCA learns from scores by the same rule
  bool standardise = false;  // for causal signals: divide by the training data's scales, which the decoder then keeps
  Index pairs = 10;          // of CCA
  double stimulus_ridge = 1e-3;                                   // of CCA
  DiscriminantForm discriminant = DiscriminantForm::per_speaker;  // of CCA
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
// A trial that plays the same speech again and again is cut by speech: the k-th fifth of every repetition is held out.
// Throws bad_data without trials.
[[nodiscard]] std::vector<TrainingFold> training_folds(std::span<const TrainingTrial> trials, const DecoderLags& lags);

// A whole decoder; its preprocessing, participants and origin are the caller's to fill in. Throws bad_data if trials
// differ in channels, targets or rate.
[[nodiscard]] Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options);
// The same with the sums of the trials at hand: a total of many trials minus one is not added up again for each.
[[nodiscard]] Decoder train_least_squares(std::span<const TrainingTrial> trials, const TrainingOptions& options,
                                          TrialStatistics sum);

}  // namespace heed::decode
