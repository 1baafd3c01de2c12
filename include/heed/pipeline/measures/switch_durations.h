// SPDX-License-Identifier: MIT
// How well windows of each length are decided, and what a gain control could make of it at best: all that `heed mesd`
// and heed.mesd say.
#pragma once

#include <heed/data/scored.h>
#include <heed/evaluate/chance.h>
#include <heed/evaluate/mesd.h>
#include <heed/evaluate/summary.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// Windows of one length.
struct DecidedWindows {
  Seconds window{};
  evaluate::DecisionCounts counts{};
  std::optional<double> chance_bound{};  // an accuracy a guesser exceeds in 5 % of such recordings
};

struct SwitchDurations {
  std::string id{};
  std::size_t speakers = 0;
  std::vector<DecidedWindows> curve{};
  std::optional<evaluate::Mesd> mesd{};
  std::string why_not{};  // where there is none
};

// One participant's scores in several window lengths, the shortest first. Throws bad_data for a length without a
// labelled window; a curve that gives no MESD is told in `why_not`.
[[nodiscard]] SwitchDurations measure_switch_durations(std::span<const ScoredParticipant> lengths,
                                                       const evaluate::GainChainOptions& options = {});

// The MESD over those who have one, in seconds.
[[nodiscard]] evaluate::Summary summarise(std::span<const SwitchDurations> participants);

}  // namespace heed::pipeline
