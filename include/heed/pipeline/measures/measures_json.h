// SPDX-License-Identifier: MIT
// Measures as JSON (docs/formats.md), for whoever prints them and whoever makes objects of them: indented, with a line
// end. What does not exist is null. Names that are not UTF-8 have such bytes replaced.
#pragma once

#include <heed/pipeline/compare.h>
#include <heed/pipeline/measures/evaluation.h>
#include <heed/pipeline/measures/switch_durations.h>
#include <heed/pipeline/trade_off.h>

#include <span>
#include <string>

namespace heed::pipeline {

// Methods, and every participant of each.
[[nodiscard]] std::string comparison_json(const Comparison& comparison);

// An object with the name of each method that has a switch probability: its points, the probability rising.
[[nodiscard]] std::string curves_json(const TradeOff& trade_off);

[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);
[[nodiscard]] std::string participant_json(const EvaluatedParticipant& participant);

[[nodiscard]] std::string switch_durations_json(std::span<const SwitchDurations> participants);
// window, accuracy, states and target beside the MESD itself.
[[nodiscard]] std::string mesd_json(const evaluate::Mesd& mesd);

}  // namespace heed::pipeline
