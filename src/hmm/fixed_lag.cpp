// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/fixed_lag.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hmm/passes.h"

namespace heed::hmm {

Index lag_in_windows(Seconds lag, Seconds window) {
  const bool possible = std::isfinite(lag.value) && lag.value >= 0 && std::isfinite(window.value) && window.value > 0;
  if (!possible) {
    throw Error(ErrorKind::invalid_argument, "a lag of " + std::to_string(lag.value) + " s over windows of " +
                                                 std::to_string(window.value) +
                                                 " s; give a lag of 0 s or more and windows longer than 0 s");
  }
  // Beyond 2^52 windows every trial has ended; the cast stays defined.
  return static_cast<Index>(std::min(std::max(0.0, std::ceil((lag / window) - 1e-9)), 0x1.0p52));
}

double fixed_lag_into(const Chain& chain, const LaggedView& windows, SmoothWorkspace& workspace,
                      MutableMatrixView posterior) noexcept {
  const auto pass = forward_pass(chain, windows.log_likelihood, workspace, posterior);
  if (!pass) return std::numeric_limits<double>::quiet_NaN();
  const Trellis& trellis = pass->trellis;
  const Index rows = posterior.rows;
  const Index lag = std::clamp<Index>(windows.lag, 0, rows);
  const Index first_that_sees_the_end = std::max<Index>(rows - 1 - lag, 0);
  for (Index t = 0; lag > 0 && t < first_that_sees_the_end; ++t) {
    std::ranges::fill(trellis.future, 1.0);
    for (Index s = t + lag - 1; s >= t; --s) retreat(chain, trellis, s);
    combine(trellis, t);
  }
  backward(chain, trellis, first_that_sees_the_end, [](Index) {});
  return pass->log_evidence;
}

Posteriors fixed_lag(const Chain& chain, const LogLikelihoods& log_likelihoods, Seconds lag) {
  Posteriors posteriors = room_for_posteriors(chain, log_likelihoods);
  const LaggedView windows{.log_likelihood = data::view(log_likelihoods.values),
                           .lag = lag_in_windows(lag, log_likelihoods.window)};
  SmoothWorkspace workspace(posteriors.values.rows(), chain.states());
  posteriors.log_evidence = fixed_lag_into(chain, windows, workspace, data::view(posteriors.values));
  posteriors.held = workspace.held();
  return posteriors;
}

}  // namespace heed::hmm
