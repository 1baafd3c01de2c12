// SPDX-License-Identifier: MIT
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>
#include <heed/track/method.h>

#include <iterator>
#include <limits>
#include <utility>

namespace heed::track {
namespace {

constexpr Seconds whole_trial{std::numeric_limits<double>::infinity()};

Tracked with_decisions(Posteriors posteriors) {
  Path decisions = decide(posteriors);
  return {std::move(posteriors), std::move(decisions)};
}

Tracked with_decisions(hmm::BankPosteriors rows) {
  Tracked tracked = with_decisions(std::move(rows.posteriors));
  tracked.switching = std::move(rows.switching);
  return tracked;
}

Tracked one_hot(Path path, Index states, double log_evidence) {
  Posteriors posteriors{.values = Matrix::Zero(std::ssize(path.states), states),
                        .window = path.window,
                        .hop = path.hop,
                        .log_evidence = log_evidence,
                        .held = path.held};
  for (Index t = 0; t < posteriors.values.rows(); ++t) {
    posteriors.values(t, path.states[static_cast<std::size_t>(t)]) = 1;
  }
  return {std::move(posteriors), std::move(path)};
}

Posteriors filtered(const hmm::Chain& chain, const std::optional<emission::DependentGaussian>& dependent,
                    const Evidence& evidence) {
  return dependent ? emission::filter(chain, *dependent, evidence.scores)
                   : hmm::filter(chain, evidence.log_likelihoods);
}

}  // namespace

Tracked RawTracker::track(const Evidence& evidence) {
  const Index speakers = evidence.log_likelihoods.values.cols();
  const auto memoryless = hmm::Chain::sticky(speakers, 1 / static_cast<double>(speakers));
  return with_decisions(hmm::filter(memoryless, evidence.log_likelihoods));
}

Tracked CausalTracker::track(const Evidence& evidence) const {
  return with_decisions(filtered(chain, dependent, evidence));
}

Tracked SmoothTracker::track(const Evidence& evidence) const {
  return with_decisions(dependent ? emission::smooth(chain, *dependent, evidence.scores)
                                  : hmm::smooth(chain, evidence.log_likelihoods));
}

Seconds SmoothTracker::look_ahead(Seconds /*window*/) noexcept { return whole_trial; }

Tracked ViterbiTracker::track(const Evidence& evidence) const {
  Path path =
      dependent ? emission::viterbi(chain, *dependent, evidence.scores) : hmm::viterbi(chain, evidence.log_likelihoods);
  return one_hot(std::move(path), chain.states(), filtered(chain, dependent, evidence).log_evidence);
}

Seconds ViterbiTracker::look_ahead(Seconds /*window*/) noexcept { return whole_trial; }

Tracked FixedLagTracker::track(const Evidence& evidence) const {
  return with_decisions(dependent ? emission::fixed_lag(chain, *dependent, evidence.scores, lag)
                                  : hmm::fixed_lag(chain, evidence.log_likelihoods, lag));
}

Seconds FixedLagTracker::look_ahead(Seconds window) const {
  return static_cast<double>(hmm::lag_in_windows(lag, window)) * window;
}

Tracked BankTracker::track(const Evidence& evidence) const {
  const Scores& scores = evidence.scores;
  const LogLikelihoods& windows = evidence.log_likelihoods;
  if (method == Method::smooth) {
    return with_decisions(dependent ? emission::smooth(bank, *dependent, scores) : hmm::smooth(bank, windows));
  }
  if (method == Method::fixed_lag) {
    return with_decisions(dependent ? emission::fixed_lag(bank, *dependent, scores, lag)
                                    : hmm::fixed_lag(bank, windows, lag));
  }
  if (method != Method::viterbi) {
    return with_decisions(dependent ? emission::filter(bank, *dependent, scores) : hmm::filter(bank, windows));
  }
  hmm::BankPath best = dependent ? emission::viterbi(bank, *dependent, scores) : hmm::viterbi(bank, windows);
  Tracked tracked = one_hot(std::move(best.path), bank.states(), best.log_evidence);
  tracked.switching = std::move(best.switching);
  return tracked;
}

Seconds BankTracker::look_ahead(Seconds window) const {
  if (method == Method::causal) return {0};
  return method == Method::fixed_lag ? FixedLagTracker{bank.chain(0), lag}.look_ahead(window) : whole_trial;
}

}  // namespace heed::track
