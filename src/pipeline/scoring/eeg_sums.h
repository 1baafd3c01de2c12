// SPDX-License-Identifier: MIT
// What sums over a participant's trials have of the EEG alone: most of their work, and the same for every decoder of
// the same signals and lags, whatever it is told of the sound.
#pragma once

#include <heed/decode/trial_statistics.h>

#include <cstddef>
#include <vector>

namespace heed::pipeline {

// Of one participant's trials, in one way of scaling; not for several threads.
class EegSums {
 public:
  // As decode::trial_statistics(), to the bit. What is kept of the trial is taken, not copied.
  [[nodiscard]] decode::TrialStatistics statistics_of(std::size_t trial, const Trial& signals,
                                                      const decode::DecoderLags& lags);
  // What statistics_of() gave, for whoever comes next.
  void keep(std::size_t trial, decode::TrialStatistics statistics) noexcept;

 private:
  struct Kept {
    LagRange lags{};
    Matrix xx{};
    Matrix energies{};
  };
  std::vector<Kept> kept_{};  // [trial]; empty: taken, or never there
};

}  // namespace heed::pipeline
