// SPDX-License-Identifier: MIT
// Gain controls: rivals of the HMM that move the speakers' gains a step with each window. Posteriors are the gains;
// they start equal, and those of more than two speakers walk on the simplex (docs/mathematics.md).
#pragma once

#include <heed/track/tracker.h>

namespace heed::track {

inline constexpr int default_gain_states = 17;  // where nothing is known of the decoder's accuracy
inline constexpr int most_gain_states = 101;    // a longer chain follows no switch within minutes

struct GainStates {
  int states = default_gain_states;
  bool capped = false;  // the rule gave no chain, or a longer one than most_gain_states
};

// K by the rule of the MESD, from P(the attended speaker's score > a competitor's) on other listeners.
// Throws invalid_argument outside [0, 1].
[[nodiscard]] GainStates gain_states_for(double pairwise_accuracy);

// The Markov-chain gain control (Geirnaert et al. 2020): one step towards the speaker with the largest score of each
// window. It weighs no evidence, so it needs no emission. Ties of a window's scores and missing windows hold the gains.
struct MarkovChainTracker {
  int states = default_gain_states;  // more waver less and follow later; at least 2 (invalid_argument)
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<MarkovChainTracker>);

inline constexpr double default_gain_step = 0.4;

// Probabilistic gain control, our reading of Heintz et al. 2024: the same walk with steps as large as the window is
// sure. Each window's probabilities are those of `raw`. A missing window holds the gains.
struct ProbabilisticGainTracker {
  double step = default_gain_step;  // gain moved by a window that is sure; larger follows sooner and wavers more.
                                    // Positive (invalid_argument)
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<ProbabilisticGainTracker>);

}  // namespace heed::track
