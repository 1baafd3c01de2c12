// SPDX-License-Identifier: MIT
#include <heed/hmm/filter.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {

void FilterWorkspace::prepare(Index states) {
  states_ = std::max(states_, states);
  storage_.resize(static_cast<std::size_t>(kernels::filter_storage(states_)));
}

double filter_plainly(const Chain& chain, MatrixView log_likelihood, FilterWorkspace& workspace,
                      MutableMatrixView posterior) noexcept {
  const auto states = static_cast<std::size_t>(chain.states());
  if (!same_shape(chain, log_likelihood, posterior) || !workspace.fits(chain.states())) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const MutableMatrixView one_row{workspace.storage_.data(), log_likelihood.rows, chain.states(), 0};
  const std::span<double> scratch{workspace.storage_.data() + states, states};
  const auto evidence =
      forward(chain, log_likelihood, {.beliefs = posterior, .weights = one_row, .future = {}, .scratch = scratch});
  workspace.held_ = evidence.held;
  return evidence.log;
}

double filter_into(const Chain& chain, MatrixView log_likelihood, FilterWorkspace& workspace,
                   MutableMatrixView posterior) noexcept {
  const bool fits = same_shape(chain, log_likelihood, posterior) && workspace.fits(chain.states());
  if (!fits || posterior.rows == 0 || !kernels::suits_filter(chain)) {
    return filter_plainly(chain, log_likelihood, workspace, posterior);
  }
  const auto filtered =
      kernels::filter(kernels::best_kernels(), chain, log_likelihood, workspace.storage_.data(), posterior);
  workspace.held_ = filtered.held;
  return filtered.log_evidence;
}

Posteriors filter(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  Posteriors posteriors = room_for_posteriors(chain, log_likelihoods);
  FilterWorkspace workspace(chain.states());
  posteriors.log_evidence =
      filter_into(chain, data::view(log_likelihoods.values), workspace, data::view(posteriors.values));
  posteriors.held = workspace.held();
  return posteriors;
}

}  // namespace heed::hmm
