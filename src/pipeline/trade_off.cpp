// SPDX-License-Identifier: MIT
#include <heed/pipeline/trade_off.h>
#include <pipeline/comparison_run.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

// Closer than that is the same probability.
constexpr double rounding = 1e-9;

// Without the one in use, which the comparison runs anyway.
std::vector<double> others_than(double in_use, std::span<const double> wanted, std::size_t speakers) {
  std::vector<double> probabilities;
  for (const double p : wanted) {
    const bool is_used = std::abs(p - in_use) <= rounding * in_use;
    const bool is_too_large = p * static_cast<double>(speakers) > 1 + rounding;
    if (!is_used && !is_too_large) probabilities.push_back(p);
  }
  return probabilities;
}

bool has_switch_probability(const MethodResult& method) { return track::needs(method.method).chain; }

TradeOffPoint point_of(double p, std::span<const evaluate::ParticipantMetrics> participants) {
  return {.switch_probability = p,
          .accuracy = evaluate::summarise(participants, &evaluate::ParticipantMetrics::accuracy),
          .switch_time = evaluate::summarise(participants, &evaluate::ParticipantMetrics::switch_time)};
}

// Method by method, each over all probabilities.
std::vector<track::AnyTracker> sweep_of(const Comparison& planned, const CompareOptions& options,
                                        std::span<const double> probabilities) {
  std::vector<track::AnyTracker> trackers;
  for (const MethodResult& method : planned.methods) {
    if (!has_switch_probability(method)) continue;
    for (const double p : probabilities) {
      ChainChoice choice = options.chain;
      choice.switch_probability = p;
      const hmm::Chain chain = make_chain(choice, static_cast<Index>(planned.speakers), planned.window);
      trackers.push_back(track::make_tracker(method.method, chain, options.method));
    }
  }
  return trackers;
}

}  // namespace

std::vector<double> paper_switch_probabilities() {
  std::vector<double> probabilities;
  for (int k = 0; k <= 12; ++k) probabilities.push_back(std::pow(10.0, -4 + (0.25 * k)));
  return probabilities;
}

TradeOff trade_off(std::span<const ScoredParticipant> participants, const CompareOptions& options,
                   std::span<const double> switch_probabilities, const Progress& progress) {
  TradeOff result;
  std::vector<double> probabilities;
  const auto plan_sweep = [&](const Comparison& planned) -> std::vector<track::AnyTracker> {
    const hmm::Chain chain = make_chain(options.chain, static_cast<Index>(planned.speakers), planned.window);
    if (options.chain.transition) return {};
    result.switch_probability = chain.as_sticky()->move();
    probabilities = others_than(*result.switch_probability, switch_probabilities, planned.speakers);
    return sweep_of(planned, options, probabilities);
  };
  ComparisonRun run = run_comparison(participants, options, plan_sweep, progress);
  auto next = run.further.begin();
  for (const MethodResult& method : run.comparison.methods) {
    auto& curve = result.curves.emplace_back();
    if (!result.switch_probability || !has_switch_probability(method)) continue;
    for (const double p : probabilities) curve.push_back(point_of(p, *next++));
    curve.push_back({*result.switch_probability, method.accuracy, method.switch_time});
    std::ranges::sort(curve, {}, &TradeOffPoint::switch_probability);
  }
  result.comparison = std::move(run.comparison);
  return result;
}

}  // namespace heed::pipeline
