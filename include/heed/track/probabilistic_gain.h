// SPDX-License-Identifier: MIT
// Probabilistic gain control, our reading of Heintz et al. 2024: the Markov chain's walk with steps as large as the
// window is sure. Each window's probabilities are those of `raw`.
#pragma once

#include <heed/track/tracker.h>

namespace heed::track {

inline constexpr double default_gain_step = 0.4;

// Posteriors are the gains, which start equal; a missing window holds them.
struct ProbabilisticGainTracker {
  double step = default_gain_step;  // gain moved by a window that is sure; larger follows sooner and wavers more.
                                    // Positive (invalid_argument)
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<ProbabilisticGainTracker>);

}  // namespace heed::track
