// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/track/method.h>

#include <algorithm>
#include <array>
#include <string>

namespace heed::track {
namespace {

constexpr std::array methods{Method::causal, Method::fixed_lag, Method::smooth, Method::viterbi, Method::raw};

}  // namespace

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
  }
  return "";
}

Method method_named(std::string_view wanted) {
  const auto* found = std::ranges::find(methods, wanted, name);
  if (found != methods.end()) return *found;
  std::string known;
  for (const Method method : methods) known.append(known.empty() ? "" : ", ").append(name(method));
  throw Error(ErrorKind::invalid_argument, "no method '" + std::string(wanted) + "'; there are " + known);
}

AnyTracker make_tracker(Method method, const hmm::Chain& chain, const MethodOptions& options) {
  switch (method) {
    case Method::causal:
      return CausalTracker{chain};
    case Method::smooth:
      return SmoothTracker{chain};
    case Method::viterbi:
      return ViterbiTracker{chain};
    case Method::fixed_lag:
      return FixedLagTracker{chain, options.lag};
    case Method::raw:
      break;
  }
  return RawTracker{};
}

Tracked track(const AnyTracker& tracker, const Evidence& evidence) {
  return std::visit([&](const auto& one) { return one.track(evidence); }, tracker);
}

Seconds look_ahead(const AnyTracker& tracker) noexcept {
  return std::visit([](const auto& one) { return one.look_ahead(); }, tracker);
}

}  // namespace heed::track
