// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/mesd.h>
#include <heed/track/gain_control.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "track/simplex_walk.h"

namespace heed::track {
namespace {

bool is_missing(std::span<const double> scores) {
  return std::ranges::any_of(scores, [](double x) { return std::isnan(x); });
}

// One for the speaker with the largest score; equal shares, which move nobody, on a tie for it.
void shares_of(std::span<const double> scores, std::span<double> shares) {
  const auto best = std::ranges::max_element(scores);
  if (std::ranges::count(scores, *best) > 1) {
    std::ranges::fill(shares, 1 / static_cast<double>(shares.size()));
    return;
  }
  std::ranges::fill(shares, 0.0);
  shares[static_cast<std::size_t>(best - scores.begin())] = 1;
}

}  // namespace

GainStates gain_states_for(double pairwise_accuracy) {
  const auto chain = evaluate::optimal_gain_chain(pairwise_accuracy);
  if (!chain || chain->states > most_gain_states) return {most_gain_states, true};
  return {chain->states, false};
}

Tracked MarkovChainTracker::track(const Evidence& evidence) const {
  if (states < 2) {
    throw Error(ErrorKind::invalid_argument,
                "a gain control of " + std::to_string(states) + " states cannot move; give at least 2");
  }
  const Matrix& scores = evidence.scores.values;
  Posteriors gains{.values = Matrix(scores.rows(), scores.cols()),
                   .window = evidence.scores.window,
                   .log_evidence = no_evidence,
                   .held = 0};
  std::vector<double> gain(static_cast<std::size_t>(scores.cols()), 1 / static_cast<double>(scores.cols()));
  std::vector<double> shares(gain.size());
  for (Index t = 0; t < scores.rows(); ++t) {
    const auto row = data::view(scores).row(t);
    if (is_missing(row)) {
      ++gains.held;
    } else {
      shares_of(row, shares);
      walk(gain, shares, 1.0 / (states - 1));
    }
    std::ranges::copy(gain, data::view(gains.values).row(t).begin());
  }
  Path decisions = decide_gains(gains);
  return {std::move(gains), std::move(decisions)};
}

}  // namespace heed::track
