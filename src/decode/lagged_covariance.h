// SPDX-License-Identifier: MIT
// How EEG goes together with EEG a few samples later: all that the covariance of lagged EEG holds where the EEG is
// taken as stationary, in a fraction of its size.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/trial.h>

#include <span>

namespace heed::decode {

// (lags x channels) x channels, lag-major: mean over the samples that are there of EEG at t + lag times EEG at t, zeros
// beyond both ends of a trial and where EEG is missing. So the covariance made of it is never indefinite. Throws
// invalid_argument for no trial, trials that differ in channels, or no lag.
[[nodiscard]] Matrix lagged_covariance(std::span<const Trial* const> trials, Index lags);

}  // namespace heed::decode
