// SPDX-License-Identifier: MIT
// Every method by its name, as the program and the studies call it.
#pragma once

#include <heed/hmm/chain.h>
#include <heed/track/hmm_trackers.h>
#include <heed/track/rivals.h>

#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace heed::track {

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
