// SPDX-License-Identifier: MIT
// Every method by its name, as the program and the studies call it.
#pragma once

#include <heed/hmm/chain.h>
#include <heed/track/hmm_trackers.h>

#include <span>
#include <string_view>
#include <variant>

namespace heed::track {

enum class Method { raw, causal, smooth, viterbi, fixed_lag };

// In the order of a comparison's table: the causal HMM first, for the others are tested against it.
[[nodiscard]] std::span<const Method> all_methods() noexcept;
[[nodiscard]] std::string_view name(Method method) noexcept;
// Throws invalid_argument, listing the names there are.
[[nodiscard]] Method method_named(std::string_view name);

struct MethodOptions {
  Seconds lag{5};  // fixed-lag only: more hindsight, later decisions
};

using AnyTracker = std::variant<RawTracker, CausalTracker, SmoothTracker, ViterbiTracker, FixedLagTracker>;

[[nodiscard]] AnyTracker make_tracker(Method method, const hmm::Chain& chain, const MethodOptions& options = {});

[[nodiscard]] Tracked track(const AnyTracker& tracker, const Evidence& evidence);
[[nodiscard]] Seconds look_ahead(const AnyTracker& tracker) noexcept;

}  // namespace heed::track
