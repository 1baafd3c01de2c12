// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <heed/track/method.h>
#include <report/trade_off_figure.h>

#include <algorithm>

#include "plot.h"
#include "terminal.h"

namespace heed::app {
namespace {

std::string p_text(double p) { return fmt::format("p = {:.3g}", p); }

report::TradeOffCurve curve_of(const pipeline::MethodResult& method, std::optional<double> p,
                               const std::vector<pipeline::TradeOffPoint>& sweep) {
  const bool has_p = p && !sweep.empty();
  report::TradeOffCurve curve{
      .name = std::string(track::name(method.method)),
      .sweep = {},
      .in_use = {method.accuracy.mean, method.switch_time.mean, has_p ? "mean at " + p_text(*p) : "mean"},
      .participants = {}};
  for (const pipeline::TradeOffPoint& point : sweep) {
    curve.sweep.push_back({point.accuracy.mean, point.switch_time.mean, "mean at " + p_text(point.switch_probability)});
  }
  for (const pipeline::ParticipantResult& participant : method.participants) {
    curve.participants.push_back(
        {participant.metrics.accuracy, participant.metrics.switch_time, "participant " + participant.id});
  }
  return curve;
}

// What the curves are made of, if there are any.
std::string sweep_text(const pipeline::TradeOff& result) {
  for (const auto& curve : result.curves) {
    if (curve.empty()) continue;
    const bool alone = std::ranges::any_of(result.curves, [](const auto& one) { return one.empty(); });
    return fmt::format("; curves: p from {:.3g} (left) to {:.3g} (right); large marks: {}{}",
                       curve.back().switch_probability, curve.front().switch_probability,
                       p_text(*result.switch_probability), alone ? "; methods without p have one mark" : "");
  }
  return "";
}

}  // namespace

report::Drawing trade_off_drawing(const PlotFlags& flags, const pipeline::TradeOff& result,
                                  const std::string& switches) {
  const pipeline::Comparison& comparison = result.comparison;
  report::TradeOffPicture picture{.curves = {},
                                  .chance = comparison.chance,
                                  .title = flags.title,
                                  .subtitle = fmt::format("switches {}{}", switches, sweep_text(result))};
  if (picture.title.empty()) {
    picture.title = fmt::format("{}, {}, windows of {} s",
                                count_text(comparison.methods.front().participants.size(), "participant"),
                                count_text(comparison.speakers, "speaker"), comparison.window.value);
  }
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    picture.curves.push_back(curve_of(comparison.methods[m], result.switch_probability, result.curves[m]));
  }
  return report::draw_trade_off(picture, {.width = flags.width});
}

}  // namespace heed::app
