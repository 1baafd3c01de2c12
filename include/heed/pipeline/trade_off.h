// SPDX-License-Identifier: MIT
// Accuracy against switch time (the paper's Section V-D): a comparison, and beside it every method that
// has a switch probability p over a range of them. A higher p follows switches sooner and wavers more.
#pragma once

#include <heed/pipeline/compare.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::pipeline {

struct TradeOffPoint {
  double switch_probability = 0;
  evaluate::Summary accuracy{};
  evaluate::Summary switch_time{};
};

struct TradeOff {
  Comparison comparison{};
  std::optional<double> switch_probability{};  // in use; nothing where a whole transition matrix was given
  // [m] of method m of the comparison, p rising and the one in use among them. Empty for a method without
  // p, and for all where a matrix was given.
  std::vector<std::vector<TradeOffPoint>> curves{};
};

// The paper's: 13 from .0001 to .1, a quarter of a decade apart.
[[nodiscard]] std::vector<double> paper_switch_probabilities();

// The emission stays as fitted for the p in use. Probabilities above 1/N, which no chain has, are left out;
// others outside (0, 1/N] throw invalid_argument, and else as compare does.
[[nodiscard]] TradeOff trade_off(std::span<const ScoredParticipant> participants, const CompareOptions& options,
                                 std::span<const double> switch_probabilities, const Progress& progress = {});

}  // namespace heed::pipeline
