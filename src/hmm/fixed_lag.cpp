// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/hmm/fixed_lag.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {

Index lag_in_windows(Seconds lag, Seconds window) {
  const bool possible = std::isfinite(lag.value) && lag.value >= 0 && std::isfinite(window.value) && window.value > 0;
  if (!possible) {
    throw Error(ErrorKind::invalid_argument,
                "a lag of " + data::shown(lag.value) + " s over windows of " + data::shown(window.value) +
                    " s is not possible; give a lag of at least 0 s and windows longer than 0 s");
  }
  // Beyond 2^52 windows every trial has ended; the cast stays defined.
  return static_cast<Index>(std::min(std::max(0.0, std::ceil((lag / window) - 1e-9)), 0x1.0p52));
}

FixedLagRun::FixedLagRun(const Chain& chain, const LaggedView& windows, SmoothWorkspace& workspace,
                         MutableMatrixView posterior) noexcept
    : chain_(chain),
      workspace_(workspace),
      posterior_(posterior),
      lag_(std::clamp<Index>(windows.lag, 0, posterior.rows)),
      next_(posterior.rows),
      log_evidence_(std::numeric_limits<double>::quiet_NaN()) {
  if (looks_ahead_by_kernels()) {
    const bool fits =
        same_shape(chain, windows.log_likelihood, posterior) && workspace.fits(posterior.rows, chain.states());
    if (!fits) return;
    const SmoothStorage storage(workspace);
    const auto filtered =
        kernels::filter_and_weigh(kernels::best_kernels(), chain, windows.log_likelihood, storage.weights(), posterior);
    storage.set_held(filtered.held);
    log_evidence_ = filtered.log_evidence;
  } else {
    const auto pass = forward_pass(chain, windows.log_likelihood, workspace, posterior);
    if (!pass) return;
    log_evidence_ = pass->log_evidence;
  }
  next_ = 0;
}

// Fewer windows have too little storage for it, and need none.
bool FixedLagRun::looks_ahead_by_kernels() const noexcept {
  return kernels::suits_looking_ahead(chain_) && posterior_.rows >= kernels::most_lanes;
}

bool FixedLagRun::look_back(Index windows) noexcept {
  if (next_ >= posterior_.rows) return false;
  const Trellis trellis = SmoothStorage(workspace_).trellis(posterior_);
  const Index first_that_sees_the_end = std::max<Index>(posterior_.rows - 1 - lag_, 0);
  const Index end = next_ + std::min(std::max<Index>(windows, 1), first_that_sees_the_end - next_);
  if (lag_ > 0 && looks_ahead_by_kernels()) {
    kernels::look_ahead(kernels::best_kernels(), chain_, trellis.weights.data, posterior_, {next_, end, lag_});
    next_ = end;
  }
  for (; lag_ > 0 && next_ < end; ++next_) {
    std::ranges::fill(trellis.future, 1.0);
    for (Index s = next_ + lag_ - 1; s >= next_; --s) retreat(chain_, trellis, s);
    combine(trellis, next_);
  }
  if (lag_ > 0 && next_ < first_that_sees_the_end) return true;
  backward(chain_, trellis, first_that_sees_the_end, [](Index) {});
  next_ = posterior_.rows;
  return false;
}

double fixed_lag_into(const Chain& chain, const LaggedView& windows, SmoothWorkspace& workspace,
                      MutableMatrixView posterior) noexcept {
  FixedLagRun run(chain, windows, workspace, posterior);
  while (run.look_back(posterior.rows)) {
  }
  return run.log_evidence();
}

Posteriors fixed_lag(const Chain& chain, const LogLikelihoods& log_likelihoods, Seconds lag) {
  Posteriors posteriors = room_for_posteriors(chain, log_likelihoods);
  const LaggedView windows{.log_likelihood = data::view(log_likelihoods.values),
                           .lag = lag_in_windows(lag, log_likelihoods.hop)};
  SmoothWorkspace workspace(posteriors.values.rows(), chain.states());
  posteriors.log_evidence = fixed_lag_into(chain, windows, workspace, data::view(posteriors.values));
  posteriors.held = workspace.held();
  return posteriors;
}

}  // namespace heed::hmm
