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

bool fits(const Chain& chain, MatrixView log_likelihood, const ViterbiWorkspace& workspace,
          std::span<const Speaker> path) noexcept {
  const Index windows = log_likelihood.rows;
  const bool shaped = windows == 0 || log_likelihood.columns == chain.states();
  return shaped && path.size() == static_cast<std::size_t>(windows) && workspace.fits(windows, chain.states());
}

}  // namespace

void ViterbiWorkspace::prepare(Index windows, Index states) {
  const auto n = static_cast<std::size_t>(states);
  scores_.resize(std::max(scores_.size(), static_cast<std::size_t>(kernels::viterbi_storage(windows, states))));
  came_from_.resize(std::max(came_from_.size(), n));
  scratch_.resize(came_from_.size());
}

bool ViterbiWorkspace::fits(Index windows, Index states) const noexcept {
  return scratch_.size() >= static_cast<std::size_t>(states) &&
         scores_.size() >= static_cast<std::size_t>(kernels::viterbi_storage(windows, states));
}

double viterbi_plainly(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                       std::span<Speaker> path) noexcept {
  if (!fits(chain, log_likelihood, workspace, path)) return std::numeric_limits<double>::quiet_NaN();
  const Index windows = log_likelihood.rows;
  const auto states = static_cast<std::size_t>(chain.states());
  const std::span<double> scratch{workspace.scratch_.data(), states};
  const std::span<Speaker> unused{workspace.came_from_.data(), states};
  const LogMoves moves = LogMoves::of(chain);
  const auto scores = [&](Index t) {
    return std::span<double>{workspace.scores_.data() + (static_cast<std::size_t>(t) * states), states};
  };

  PathEvidence path_so_far;
  for (Index t = 0; t < windows; ++t) {
    if (t == 0) {
      std::ranges::transform(chain.initial(), scores(0).begin(), [](double p) { return std::log(p); });
    } else {
      std::ranges::copy(scores(t - 1), scores(t).begin());
      predict_best(moves, scores(t), unused, scratch);
    }
    const PathEvidence window = absorb_best(scores(t), log_likelihood.row(t));
    path_so_far.log_probability += window.log_probability;
    path_so_far.held += window.held;
  }

  std::size_t state = windows > 0 ? lowest_best(scores(windows - 1)) : 0;
  for (Index t = windows - 1; t >= 0; --t) {
    path[static_cast<std::size_t>(t)] = static_cast<Speaker>(state);
    if (t > 0) state = best_before(moves, scores(t - 1), state);
  }
  workspace.held_ = path_so_far.held;
  return path_so_far.log_probability;
}

double viterbi_into(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                    std::span<Speaker> path) noexcept {
  const bool suits = !path.empty() && kernels::suits_viterbi(chain);
  if (!suits || !fits(chain, log_likelihood, workspace, path)) {
    return viterbi_plainly(chain, log_likelihood, workspace, path);
  }
  const auto best =
      kernels::viterbi(kernels::best_kernels(), chain, log_likelihood, {.scores = workspace.scores_, .path = path});
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
