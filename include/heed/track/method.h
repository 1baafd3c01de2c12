// SPDX-License-Identifier: MIT
// Every method by its name, as the program and the studies call it: the hidden Markov models, and their rivals.
#pragma once

#include <heed/emission/dependence.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/track/rivals.h>
#include <heed/track/tracker.h>

#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace heed::track {

enum class Method { raw, causal, smooth, viterbi, fixed_lag, markov_chain, probabilistic_gain, state_space };

// The hidden Markov models of the paper (Section II) as trackers, and the raw decisions they improve on. With a model
// of scores that depend on each other they track the scores instead of the log-likelihoods.

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

// In the order of a comparison's table: the causal HMM first, for the others are tested against it.
[[nodiscard]] std::span<const Method> all_methods() noexcept;
[[nodiscard]] std::string_view name(Method method) noexcept;
// Throws invalid_argument, listing the names there are.
[[nodiscard]] Method method_named(std::string_view wanted);

struct MethodOptions {
  Seconds lag = hmm::default_lag;    // fixed-lag only: more hindsight, later decisions
  std::optional<int> gain_states{};  // markov-chain only; nothing: default_gain_states, unless the caller knows better
  double gain_step = default_gain_step;  // probabilistic-gain only
  StateSpaceOptions state_space{};       // state-space only
  friend bool operator==(const MethodOptions&, const MethodOptions&) = default;
};

// In the order of Method; the last is that of every method with a chain.
using AnyTracker = std::variant<RawTracker, CausalTracker, SmoothTracker, ViterbiTracker, FixedLagTracker,
                                MarkovChainTracker, ProbabilisticGainTracker, StateSpaceTracker, BankTracker>;

// dependent: scores that depend on each other, for the methods that have a chain.
[[nodiscard]] AnyTracker make_tracker(Method method, const hmm::Chain& chain, const MethodOptions& options = {},
                                      const std::optional<emission::DependentGaussian>& dependent = {});

// For a p that nobody knows; a method without chain is the same as ever.
[[nodiscard]] AnyTracker make_tracker(Method method, const hmm::Bank& bank, const MethodOptions& options = {},
                                      const std::optional<emission::DependentGaussian>& dependent = {});

[[nodiscard]] Method method_of(const AnyTracker& tracker) noexcept;
[[nodiscard]] Tracked track(const AnyTracker& tracker, const Evidence& evidence);
// The tracker of the same listener's next trial.
[[nodiscard]] AnyTracker after(AnyTracker tracker, const Tracked& trial);
[[nodiscard]] Seconds look_ahead(const AnyTracker& tracker, Seconds window);

// What a method works on: the hidden Markov models a chain and log-likelihoods, the gain controls no chain, and two
// of the rivals the scores themselves, which must then be one per speaker.
struct MethodNeeds {
  bool chain = true;
  bool emission = true;
};
[[nodiscard]] MethodNeeds needs(Method method) noexcept;

}  // namespace heed::track
