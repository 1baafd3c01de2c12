// SPDX-License-Identifier: MIT
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hmm/best_moves.h"
#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The largest log-likelihood over states that a path reaches; -inf: the window is missing.
double largest_reachable(std::span<const double> score, std::span<const double> log_likelihood) noexcept {
  double largest = -infinity;
  for (std::size_t j = 0; j < score.size(); ++j) {
    if (!(log_likelihood[j] < infinity)) return -infinity;  // NaN too
    if (score[j] > -infinity) largest = std::max(largest, log_likelihood[j]);
  }
  return largest;
}

// Adds the window's evidence unless it is missing, then takes the best score out, so that nothing drifts.
LogEvidence weigh(std::span<double> score, std::span<const double> log_likelihood) noexcept {
  const double largest = largest_reachable(score, log_likelihood);
  const bool held = largest == -infinity;
  if (!held) {
    for (std::size_t j = 0; j < score.size(); ++j) score[j] += log_likelihood[j] - largest;
  }
  const double best = std::ranges::max(score);
  for (double& s : score) s -= best;
  return {.log = held ? best : largest + best, .held = held ? 1 : 0};
}

bool fits(const Chain& chain, MatrixView log_likelihood, const ViterbiWorkspace& workspace,
          std::span<const Speaker> path) noexcept {
  const Index windows = log_likelihood.rows;
  const bool shaped = windows == 0 || log_likelihood.columns == chain.states();
  return shaped && path.size() == static_cast<std::size_t>(windows) && workspace.fits(windows, chain.states());
}

}  // namespace

void ViterbiWorkspace::prepare(Index windows, Index states) {
  const auto n = static_cast<std::size_t>(states);
  came_from_.resize(std::max(came_from_.size(), static_cast<std::size_t>(windows) * n));
  score_.resize(std::max(score_.size(), n));
  scratch_.resize(score_.size());
  if (states == 2) leads_.resize(std::max(leads_.size(), static_cast<std::size_t>(kernels::viterbi_storage(windows))));
}

bool ViterbiWorkspace::fits(Index windows, Index states) const noexcept {
  const auto n = static_cast<std::size_t>(states);
  const auto leads = static_cast<std::size_t>(states == 2 ? kernels::viterbi_storage(windows) : 0);
  return score_.size() >= n && came_from_.size() >= static_cast<std::size_t>(windows) * n && leads_.size() >= leads;
}

double viterbi_plainly(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                       std::span<Speaker> path) noexcept {
  if (!fits(chain, log_likelihood, workspace, path)) return std::numeric_limits<double>::quiet_NaN();
  const Index windows = log_likelihood.rows;
  const auto states = static_cast<std::size_t>(chain.states());
  const std::span<double> score{workspace.score_.data(), states};
  const std::span<double> scratch{workspace.scratch_.data(), states};
  const LogMoves moves = LogMoves::of(chain);
  const auto came_from = [&](Index t) {
    return std::span<Speaker>{workspace.came_from_.data() + (static_cast<std::size_t>(t) * states), states};
  };

  LogEvidence evidence;
  std::ranges::transform(chain.initial(), score.begin(), [](double probability) { return std::log(probability); });
  for (Index t = 0; t < windows; ++t) {
    if (t > 0) predict_best(moves, score, came_from(t), scratch);
    const LogEvidence window = weigh(score, log_likelihood.row(t));
    evidence.log += window.log;
    evidence.held += window.held;
  }

  auto state = static_cast<Speaker>(lowest_best(score));
  for (Index t = windows - 1; t >= 0; --t) {
    path[static_cast<std::size_t>(t)] = state;
    if (t > 0) state = came_from(t)[static_cast<std::size_t>(state)];
  }
  workspace.held_ = evidence.held;
  return evidence.log;
}

double viterbi_into(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                    std::span<Speaker> path) noexcept {
  const bool suits = !path.empty() && kernels::suits_viterbi(chain);
  if (!suits || !fits(chain, log_likelihood, workspace, path)) {
    return viterbi_plainly(chain, log_likelihood, workspace, path);
  }
  const auto best = kernels::viterbi(kernels::best_kernels(), chain, log_likelihood,
                                     {.leads = workspace.leads_, .path = path, .tie = viterbi_tie});
  workspace.held_ = best.held;
  return best.log_probability;
}

Path viterbi(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  require_states(chain, log_likelihoods);
  const Index windows = log_likelihoods.values.rows();
  ViterbiWorkspace workspace(windows, chain.states());
  Path path{.states = std::vector<Speaker>(static_cast<std::size_t>(windows)),
            .window = log_likelihoods.window,
            .hop = log_likelihoods.hop};
  path.log_probability = viterbi_into(chain, data::view(log_likelihoods.values), workspace, path.states);
  path.held = workspace.held();
  return path;
}

}  // namespace heed::hmm
