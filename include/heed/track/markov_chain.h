// SPDX-License-Identifier: MIT
// The Markov-chain gain control (Geirnaert, Francart, Bertrand 2020) as a tracker: K gains from one speaker to the
// other, a step towards the speaker with the largest score of each window. It weighs no evidence, so it needs no
// emission. For more than two speakers gains walk on the simplex (docs/mathematics.md).
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

// Posteriors are the gains, which start equal; ties of a window's scores and missing windows hold them.
struct MarkovChainTracker {
  int states = default_gain_states;  // more waver less and follow later; at least 2 (invalid_argument)
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

static_assert(Tracker<MarkovChainTracker>);

}  // namespace heed::track
