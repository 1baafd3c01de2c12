// SPDX-License-Identifier: MIT
// What every post-processor has in common: the evidence of a trial in, a belief and a decision for
// each window out. The HMMs and their rivals are values of this one concept.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/bank.h>

#include <concepts>
#include <limits>

namespace heed::track {

// One trial, both ways of looking at it. Refers to the caller's data.
struct Evidence {
  const Scores& scores;
  const LogLikelihoods& log_likelihoods;
};

// The log-evidence of methods that are no probabilistic model of the scores.
inline constexpr double no_evidence = std::numeric_limits<double>::quiet_NaN();

struct Tracked {
  Posteriors posteriors;
  Path decisions;
  hmm::Switching switching{};  // what the trial says of p; empty unless p is unknown
};

template <typename T>
concept Tracker = std::copyable<T> && requires(const T& tracker, const Evidence& evidence, Seconds window) {
  { tracker.track(evidence) } -> std::same_as<Tracked>;
  // How much of the future a row has seen, given the windows' length: 0 if causal, infinite if the whole trial.
  { tracker.look_ahead(window) } -> std::same_as<Seconds>;
};

// The decision rule of core, window by window.
[[nodiscard]] Path decide(const Posteriors& posteriors);

}  // namespace heed::track
