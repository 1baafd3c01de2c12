// SPDX-License-Identifier: MIT
// The hidden Markov models of the paper (Section II) as trackers, and the raw decisions they improve on. With a model
// of scores that depend on each other they track the scores instead of the log-likelihoods.
#pragma once

#include <heed/emission/dependence.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/track/tracker.h>

#include <optional>

namespace heed::track {

// Each window on its own: the softmax of its log-likelihoods, as if attention moved at random (p = 1/N).
struct RawTracker {
  [[nodiscard]] static Tracked track(const Evidence& evidence);
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

// P(attending j | windows so far): what can be known live.
struct CausalTracker {
  hmm::Chain chain;
  std::optional<emission::DependentGaussian> dependent{};
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds /*window*/) noexcept { return {0}; }
};

// P(attending j | the whole trial), by forward-backward.
struct SmoothTracker {
  hmm::Chain chain;
  std::optional<emission::DependentGaussian> dependent{};
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds window) noexcept;
};

// The most probable path; posteriors are one-hot.
struct ViterbiTracker {
  hmm::Chain chain;
  std::optional<emission::DependentGaussian> dependent{};
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] static Seconds look_ahead(Seconds window) noexcept;
};

// P(attending j | windows up to `lag` later).
struct FixedLagTracker {
  hmm::Chain chain;
  Seconds lag = hmm::default_lag;
  std::optional<emission::DependentGaussian> dependent{};
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  // Whole windows are waited for: a lag of 5 s over windows of 2 s sees 6 s of the future.
  [[nodiscard]] Seconds look_ahead(Seconds window) const;
};

// The four of the above that have a chain, for a listener whose p nobody knows (hmm/bank.h).
struct BankTracker {
  hmm::Bank bank;
  Method method = Method::causal;
  Seconds lag = hmm::default_lag;  // of fixed_lag
  std::optional<emission::DependentGaussian> dependent{};
  [[nodiscard]] Tracked track(const Evidence& evidence) const;
  [[nodiscard]] Seconds look_ahead(Seconds window) const;
  // For the listener's next trial: it knows what this one has said of p.
  [[nodiscard]] BankTracker after(const Tracked& trial) const {
    return {bank.with_weights(trial.switching.after), method, lag, dependent};
  }
};

static_assert(Tracker<RawTracker> && Tracker<CausalTracker> && Tracker<SmoothTracker> && Tracker<ViterbiTracker> &&
              Tracker<FixedLagTracker> && Tracker<BankTracker>);

}  // namespace heed::track
