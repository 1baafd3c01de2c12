// SPDX-License-Identifier: MIT
#include "decode/repetition.h"

#include <algorithm>
#include <cmath>

namespace heed::decode {
namespace {

constexpr Seconds shortest{4};
constexpr double alike = 0.98;  // of repeated speech only filters at the joints differ; of other speech it is far less

// Of a stretch with the same `later` samples later.
double correlation(const Matrix& sound, SampleRange stretch, Index later) {
  const auto now = sound.col(0).segment(stretch.first, stretch.count).array();
  const auto then = sound.col(0).segment(stretch.first + later, stretch.count).array();
  const double power = std::sqrt(now.square().sum() * then.square().sum());
  return power > 0 ? (now * then).sum() / power : 0;
}

bool repeats(const Trial& trial, Index period) {
  return std::ranges::all_of(trial.stimuli, [&](const Matrix& sound) {
    return correlation(sound, {0, sound.rows() - period}, period) > alike;
  });
}

}  // namespace

// A short stretch is compared at every distance, and all of the trial only where that one is found again.
std::optional<Index> repetition_of(const Trial& trial) {
  const auto probe = static_cast<Index>(std::ceil(shortest * trial.sampling_frequency));
  const Index longest = trial.samples() / 2;
  if (trial.stimuli.empty() || probe + longest > trial.samples()) return std::nullopt;
  for (Index period = probe; period <= longest; ++period) {
    const SampleRange stretch{(trial.samples() - period - probe) / 2, probe};
    if (correlation(trial.stimuli.front(), stretch, period) > alike && repeats(trial, period)) return period;
  }
  return std::nullopt;
}

}  // namespace heed::decode
