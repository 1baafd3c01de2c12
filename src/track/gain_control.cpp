// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/core/recursion.h>
#include <heed/data/error.h>
#include <heed/evaluate/mesd.h>
#include <heed/track/method.h>
#include <heed/track/rivals.h>
#include <heed/track/tracker.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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

void walk(std::span<double> gains, std::span<const double> shares, double step) noexcept {
  if (gains.size() == 2) {
    gains[0] = std::clamp(gains[0] + (step * (shares[0] - shares[1])), 0.0, 1.0);
    gains[1] = 1 - gains[0];
    return;
  }
  const auto speakers = static_cast<double>(gains.size());
  for (std::size_t j = 0; j < gains.size(); ++j) {
    const double drive = (shares[j] - (1 / speakers)) * speakers / (speakers - 1);
    gains[j] = std::clamp(gains[j] + (step * drive), 0.0, 1.0);
  }
  core::normalise(gains);
}

Path decide_gains(const Posteriors& gains) {
  constexpr double tie = 1e-9;
  Posteriors judged = gains;
  for (auto row : judged.values.rowwise()) {
    const double top = row.maxCoeff();
    row = (row.array() > top - tie).select(top, row);
  }
  return decide(judged);
}

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
                   .hop = evidence.scores.hop,
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

Tracked ProbabilisticGainTracker::track(const Evidence& evidence) const {
  if (!(step > 0) || !std::isfinite(step)) {
    throw Error(ErrorKind::invalid_argument,
                "a gain step of " + data::shown(step) + " does not move; give a positive number");
  }
  // A missing window has equal probabilities, and those move nobody.
  Posteriors gains = RawTracker::track(evidence).posteriors;
  gains.log_evidence = no_evidence;
  const Index speakers = gains.values.cols();
  std::vector<double> gain(static_cast<std::size_t>(speakers), 1 / static_cast<double>(speakers));
  for (Index t = 0; t < gains.values.rows(); ++t) {
    const auto row = data::view(gains.values).row(t);
    walk(gain, row, step);
    std::ranges::copy(gain, row.begin());
  }
  Path decisions = decide_gains(gains);
  return {std::move(gains), std::move(decisions)};
}

}  // namespace heed::track
