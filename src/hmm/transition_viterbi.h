// SPDX-License-Identifier: MIT
// The most probable path through windows whose evidence is about transitions (transition_stream.h).
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>

#include <vector>

namespace heed::hmm {

// The evidence of a whole trial.
struct TransitionWindows {
  Matrix departing{};            // windows x states, by the state at the last observed window
  Matrix arriving{};             // windows x states
  std::vector<double> stay{};    // [window], at least 0
  std::vector<double> common{};  // [window]
  std::vector<Index> hops{};     // [window]: windows since that one. 0: missing, or nothing was observed before
  std::vector<bool> observed{};  // [window]
};

// Ties as viterbi()'s. Between two observed windows attention takes the most probable way; on a sticky chain a switch
// is placed in the first missing window.
[[nodiscard]] Path viterbi(const Chain& chain, const TransitionWindows& windows);

}  // namespace heed::hmm
