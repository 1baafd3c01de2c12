// SPDX-License-Identifier: MIT
// The rounds that Gaussians and mixtures go through when they are learnt by Baum-Welch.
#pragma once

#include <heed/hmm/baum_welch.h>

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace heed::emission {

// `step` holds the emission: log_likelihoods() gives those of every trial, maximise() takes their posteriors.
template <typename Step, typename Options>
hmm::BaumWelchResult go_through_rounds(const hmm::Chain& chain, Step& step, const Options& options,
                                       const std::function<void()>& each_iteration) {
  std::vector<hmm::TrainingSequence> sequences;
  for (LogLikelihoods& trial : step.log_likelihoods()) sequences.push_back({std::move(trial), {}});
  const hmm::BaumWelchOptions rounds{.estimate_transition = options.fit_switch_probability,
                                     .prior = options.fit_switch_probability ? options.prior : hmm::SwitchPrior{},
                                     .relative_gain = options.relative_gain,
                                     .max_iterations = options.max_iterations};
  return hmm::baum_welch(chain, std::move(sequences), rounds, [&](std::span<const Posteriors> posteriors) {
    if (each_iteration) each_iteration();
    step.maximise(posteriors);
    return step.log_likelihoods();
  });
}

// A last M-step that rounding made worse is left out of the history, and so is what it found.
[[nodiscard]] inline bool keeps_last_round(const hmm::BaumWelchResult& result) noexcept {
  return std::cmp_equal(result.history.size(), result.iterations + 1);
}

}  // namespace heed::emission
