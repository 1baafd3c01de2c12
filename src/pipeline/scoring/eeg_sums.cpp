// SPDX-License-Identifier: MIT
#include <pipeline/scoring/eeg_sums.h>

#include <utility>

namespace heed::pipeline {

decode::TrialStatistics EegSums::statistics_of(std::size_t trial, const Trial& signals,
                                               const decode::DecoderLags& lags) {
  if (kept_.size() <= trial) kept_.resize(trial + 1);
  Kept& kept = kept_[trial];
  if (kept.xx.size() == 0 || kept.lags != lags.eeg) return decode::trial_statistics(signals, lags);
  decode::TrialStatistics result = decode::cross_statistics(signals, lags);
  std::swap(result.xx, kept.xx);
  std::swap(result.energies, kept.energies);
  return result;
}

void EegSums::keep(std::size_t trial, decode::TrialStatistics statistics) noexcept {
  if (kept_.size() <= trial) return;
  kept_[trial] = {statistics.lags.eeg, std::move(statistics.xx), std::move(statistics.energies)};
}

}  // namespace heed::pipeline
