// SPDX-License-Identifier: MIT
// Is there anything in the scores at all? Window by window, the largest score against the attended speaker.
#pragma once

#include <heed/data/scored.h>

#include <optional>

namespace heed::pipeline {

struct Significance {
  Index windows = 0;                 // labelled and scored
  double chance = 0;                 // 1 / speakers
  std::optional<double> accuracy{};  // nothing without labelled windows
  std::optional<double> bound{};     // what a guesser exceeds in 5 % of such recordings
  std::optional<double> p_value{};   // of a guesser reaching this accuracy
};

// A tie is a wrong window: whoever guesses is right half the time, whoever is undecided is not.
[[nodiscard]] Significance significance_of(const ScoredParticipant& participant);

}  // namespace heed::pipeline
