// SPDX-License-Identifier: MIT
// The trade-off picture (the paper's Fig. 5): accuracy against switch time, a curve a method over the
// switch probability, a dot a participant at the one in use.
#pragma once

#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// Accuracy within [0, 1], switch time in seconds. A point without either is not drawn.
struct TradeOffPoint {
  std::optional<double> accuracy{};
  std::optional<double> switch_time{};
  std::string name{};  // said under the mouse: a participant, or "p = 0.001"
};

struct TradeOffCurve {
  std::string name{};                         // the method
  std::vector<TradeOffPoint> sweep{};         // means over participants, p rising; empty: a method without p
  TradeOffPoint in_use{};                     // mean at the p in use
  std::vector<TradeOffPoint> participants{};  // at the p in use
};

struct TradeOffPicture {
  std::vector<TradeOffCurve> curves{};
  double chance = 0;  // accuracy of a guesser
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // "simulated data": in a box of its own; empty: none
};

// Switch times are on a logarithmic axis where they span a factor of six or more and none is zero; accuracies on one
// that is logarithmic in the error where errors do, and beyond 99 % at its end. Throws bad_data if no point has both
// accuracy and switch time.
[[nodiscard]] Drawing draw_trade_off(const TradeOffPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
