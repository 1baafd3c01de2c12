// SPDX-License-Identifier: MIT
#include <heed/core/decision.h>
#include <heed/data/error.h>
#include <heed/track/method.h>
#include <heed/track/tracker.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace heed::track {
namespace {

constexpr std::array methods{Method::causal,       Method::fixed_lag,          Method::smooth,      Method::viterbi,
                             Method::markov_chain, Method::probabilistic_gain, Method::state_space, Method::raw};

}  // namespace

Path decide(const Posteriors& posteriors) {
  Path path{
      .states = {}, .window = posteriors.window, .hop = posteriors.hop, .log_probability = 0, .held = posteriors.held};
  path.states.reserve(static_cast<std::size_t>(posteriors.values.rows()));
  core::DecisionRule<double> rule;
  for (Index t = 0; t < posteriors.values.rows(); ++t) {
    path.states.push_back(static_cast<Speaker>(rule.decide(data::view(posteriors.values).row(t))));
  }
  return path;
}

std::span<const Method> all_methods() noexcept { return methods; }

std::string_view name(Method method) noexcept {
  switch (method) {
    case Method::raw:
      return "raw";
    case Method::causal:
      return "causal";
    case Method::smooth:
      return "smooth";
    case Method::viterbi:
      return "viterbi";
    case Method::fixed_lag:
      return "fixed-lag";
    case Method::markov_chain:
      return "markov-chain";
    case Method::probabilistic_gain:
      return "probabilistic-gain";
    case Method::state_space:
      return "state-space";
  }
  return "";
}

Method method_named(std::string_view wanted) {
  const auto* found = std::ranges::find(methods, wanted, name);
  if (found != methods.end()) return *found;
  std::string known;
  for (const Method method : methods) known.append(known.empty() ? "" : ", ").append(name(method));
  throw Error(ErrorKind::invalid_argument, "there is no method '" + std::string(wanted) + "'; there are " + known);
}

AnyTracker make_tracker(Method method, const hmm::Chain& chain, const MethodOptions& options,
                        const std::optional<emission::DependentGaussian>& dependent) {
  switch (method) {
    case Method::causal:
      return CausalTracker{chain, dependent};
    case Method::smooth:
      return SmoothTracker{chain, dependent};
    case Method::viterbi:
      return ViterbiTracker{chain, dependent};
    case Method::fixed_lag:
      return FixedLagTracker{chain, options.lag, dependent};
    case Method::markov_chain:
      return MarkovChainTracker{options.gain_states.value_or(default_gain_states)};
    case Method::probabilistic_gain:
      return ProbabilisticGainTracker{options.gain_step};
    case Method::state_space:
      return StateSpaceTracker{options.state_space};
    case Method::raw:
      break;
  }
  return RawTracker{};
}

AnyTracker make_tracker(Method method, const hmm::Bank& bank, const MethodOptions& options,
                        const std::optional<emission::DependentGaussian>& dependent) {
  if (!needs(method).chain) return make_tracker(method, bank.chain(0), options);
  return BankTracker{bank, method, options.lag, dependent};
}

Method method_of(const AnyTracker& tracker) noexcept {
  const auto* bank = std::get_if<BankTracker>(&tracker);
  return bank != nullptr ? bank->method : static_cast<Method>(tracker.index());
}

AnyTracker after(AnyTracker tracker, const Tracked& trial) {
  const auto* bank = std::get_if<BankTracker>(&tracker);
  return bank == nullptr ? std::move(tracker) : bank->after(trial);
}

Tracked track(const AnyTracker& tracker, const Evidence& evidence) {
  return std::visit([&](const auto& one) { return one.track(evidence); }, tracker);
}

Seconds look_ahead(const AnyTracker& tracker, Seconds window) {
  return std::visit([&](const auto& one) { return one.look_ahead(window); }, tracker);
}

MethodNeeds needs(Method method) noexcept {
  const bool on_scores = method == Method::markov_chain || method == Method::state_space;
  const bool without_chain = on_scores || method == Method::probabilistic_gain || method == Method::raw;
  return {.chain = !without_chain, .emission = !on_scores};
}

}  // namespace heed::track
