// SPDX-License-Identifier: MIT
// A comparison with further trackers beside its methods, on the same draws of the switches and the same
// log-likelihoods: what compare and trade_off share.
#pragma once

#include <heed/pipeline/compare.h>

#include <functional>
#include <span>
#include <vector>

namespace heed::pipeline {

// Asked once, when the comparison knows its methods, speakers and window.
using FurtherTrackers = std::function<std::vector<track::AnyTracker>(const Comparison& planned)>;

struct ComparisonRun {
  Comparison comparison{};
  std::vector<std::vector<evaluate::ParticipantMetrics>> further{};  // [tracker][participant]
};

[[nodiscard]] ComparisonRun run_comparison(std::span<const ScoredParticipant> participants,
                                           const CompareOptions& options, const FurtherTrackers& further_trackers,
                                           const Progress& progress);

}  // namespace heed::pipeline
