// SPDX-License-Identifier: MIT
// What the fits of least squares and CCA share.
#pragma once

#include "decode/dense/dense.h"

#include <heed/decode/least_squares.h>

#include <functional>
#include <span>

namespace heed::decode {

// The first of the columns of xy that belong to stimulus lag 0, one per target. Throws invalid_argument where lag 0 is
// not among them.
[[nodiscard]] Index attended_column(const TrialStatistics& statistics);

// Throws singular, and says what to do, where the matrix cannot be inverted.
[[nodiscard]] Cholesky factorised(Matrix covariance, const char* of);

// n x targets.
[[nodiscard]] Matrix solve_least_squares(TrialStatistics statistics, const Regularisation& regularisation);

// Sums of all training trials. Throws bad_data without trials, or where they differ in channels, targets or rate;
// invalid_argument for statistics of other lags than `lags`.
[[nodiscard]] TrialStatistics training_total(std::span<const TrainingTrial> trials, const DecoderLags& lags);

// training_folds() one after the other, so that the sums of one of them are in memory. sum: training_total() of the
// trials.
void for_each_fold(std::span<const TrainingTrial> trials, const TrialStatistics& sum,
                   const std::function<void(TrainingFold)>& take);

// Channels, targets, rate and lags as in training, no filters yet.
[[nodiscard]] Decoder blank_decoder(std::span<const TrainingTrial> trials, const TrainingOptions& options);

// The statistics a fit works on; where options ask for it, in the training data's own scales, which the decoder keeps,
// and with the prior.
[[nodiscard]] TrialStatistics scaled_for(Decoder& decoder, TrialStatistics statistics, const TrainingOptions& options);

// With its lambda chosen within the training data, where it is to be.
[[nodiscard]] Regularisation settled(std::span<const TrainingTrial> trials, const TrainingOptions& options);

}  // namespace heed::decode
