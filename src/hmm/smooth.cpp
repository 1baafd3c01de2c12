// SPDX-License-Identifier: MIT
#include <heed/hmm/smooth.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "hmm/passes.h"

namespace heed::hmm {

void SmoothWorkspace::prepare(Index windows, Index states) {
  const auto n = static_cast<std::size_t>(states);
  weights_.resize(std::max(weights_.size(), static_cast<std::size_t>(windows) * n));
  future_.resize(std::max(future_.size(), n));
  scratch_.resize(future_.size());
}

bool SmoothWorkspace::fits(Index windows, Index states) const noexcept {
  const auto n = static_cast<std::size_t>(states);
  return future_.size() >= n && weights_.size() >= static_cast<std::size_t>(windows) * n;
}

std::optional<ForwardPass> forward_pass(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                                        MutableMatrixView beliefs) noexcept {
  if (!same_shape(chain, log_likelihood, beliefs) || !workspace.fits(beliefs.rows, chain.states())) return std::nullopt;
  const auto states = static_cast<std::size_t>(chain.states());
  const Trellis trellis{.beliefs = beliefs,
                        .weights = {workspace.weights_.data(), beliefs.rows, chain.states(), chain.states()},
                        .future = {workspace.future_.data(), states},
                        .scratch = {workspace.scratch_.data(), states}};
  const auto evidence = forward(chain, log_likelihood, trellis);
  workspace.held_ = evidence.held;
  return ForwardPass{.trellis = trellis, .log_evidence = evidence.log};
}

double smooth_into(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                   MutableMatrixView posterior) noexcept {
  const auto pass = forward_pass(chain, log_likelihood, workspace, posterior);
  if (!pass) return std::numeric_limits<double>::quiet_NaN();
  backward(chain, pass->trellis, 0, [](Index) {});
  return pass->log_evidence;
}

Posteriors smooth(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  Posteriors posteriors = room_for_posteriors(chain, log_likelihoods);
  SmoothWorkspace workspace(posteriors.values.rows(), chain.states());
  posteriors.log_evidence =
      smooth_into(chain, data::view(log_likelihoods.values), workspace, data::view(posteriors.values));
  posteriors.held = workspace.held();
  return posteriors;
}

}  // namespace heed::hmm
