// SPDX-License-Identifier: MIT
#include <heed/hmm/smooth.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {

namespace {

// Numbers that smoothing by kernels needs, and by the plain recursions.
std::size_t kernels_need(Index windows, Index states) noexcept {
  return static_cast<std::size_t>(kernels::smoothing_storage(kernels::best_kernels().lanes, windows, states));
}
std::size_t passes_need(Index windows, Index states) noexcept {
  return static_cast<std::size_t>((windows * states) + kernels::weights_slack);
}

}  // namespace

void SmoothWorkspace::prepare(Index windows, Index states) {
  const auto n = static_cast<std::size_t>(states);
  weights_.resize(std::max({weights_.size(), kernels_need(windows, states), passes_need(windows, states)}));
  future_.resize(std::max(future_.size(), n));
  scratch_.resize(future_.size());
}

void SmoothWorkspace::prepare_batch(Index longest, Index states) {
  prepare(longest, states);
  if (states > kernels::largest_lanes_states) return;
  const long lanes = kernels::best_kernels().lanes;
  const auto needed = static_cast<std::size_t>(kernels::lanes_storage(lanes, longest, states));
  side_by_side_.resize(std::max(side_by_side_.size(), needed));
}

bool SmoothWorkspace::fits(Index windows, Index states) const noexcept {
  return future_.size() >= static_cast<std::size_t>(states) &&
         weights_.size() >= std::max(kernels_need(windows, states), passes_need(windows, states));
}

void SmoothWorkspace::prepare_for(const Chain& chain, Index windows) {
  if (windows == 0 || !kernels::suits_smoothing(chain)) return prepare(windows, chain.states());
  weights_.resize(std::max(weights_.size(), kernels_need(windows, chain.states())));
}

bool SmoothStorage::fits(const Chain& chain, Index windows) const noexcept {
  if (!kernels::suits_smoothing(chain)) return workspace_.fits(windows, chain.states());
  return workspace_.weights_.size() >= kernels_need(windows, chain.states());
}

Trellis SmoothStorage::trellis(MutableMatrixView beliefs) const noexcept {
  const auto states = static_cast<std::size_t>(beliefs.columns);
  return {.beliefs = beliefs,
          .weights = {weights(), beliefs.rows, beliefs.columns, beliefs.columns},
          .future = {workspace_.future_.data(), states},
          .scratch = {workspace_.scratch_.data(), states}};
}

std::optional<ForwardPass> forward_pass(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                                        MutableMatrixView beliefs) noexcept {
  if (!same_shape(chain, log_likelihood, beliefs) || !workspace.fits(beliefs.rows, chain.states())) return std::nullopt;
  const SmoothStorage storage(workspace);
  const Trellis trellis = storage.trellis({beliefs.data, beliefs.rows, chain.states(), beliefs.stride});
  const auto evidence = forward(chain, log_likelihood, trellis);
  storage.set_held(evidence.held);
  return ForwardPass{.trellis = trellis, .log_evidence = evidence.log};
}

double smooth_plainly(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                      MutableMatrixView posterior) noexcept {
  const auto pass = forward_pass(chain, log_likelihood, workspace, posterior);
  if (!pass) return std::numeric_limits<double>::quiet_NaN();
  backward(chain, pass->trellis, 0, [](Index) {});
  return pass->log_evidence;
}

double smooth_into(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                   MutableMatrixView posterior) noexcept {
  const SmoothStorage storage(workspace);
  const bool fits = same_shape(chain, log_likelihood, posterior) && storage.fits(chain, posterior.rows);
  if (!fits || posterior.rows == 0 || !kernels::suits_smoothing(chain)) {
    return smooth_plainly(chain, log_likelihood, workspace, posterior);
  }
  const auto smoothed = kernels::smooth(kernels::best_kernels(), chain, log_likelihood, storage.weights(), posterior);
  storage.set_held(smoothed.held);
  return smoothed.log_evidence;
}

Posteriors smooth(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  Posteriors posteriors = room_for_posteriors(chain, log_likelihoods);
  SmoothWorkspace workspace;
  workspace.prepare_for(chain, posteriors.values.rows());
  posteriors.log_evidence =
      smooth_into(chain, data::view(log_likelihoods.values), workspace, data::view(posteriors.values));
  posteriors.held = workspace.held();
  return posteriors;
}

}  // namespace heed::hmm
