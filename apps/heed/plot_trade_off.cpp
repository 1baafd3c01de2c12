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

report::TradeOffCurve curve_of(const pipeline::MethodResult& method, std::optional<double> p) {
  const bool has_p = p && !method.curve.empty();
  report::TradeOffCurve curve{
      .name = std::string(track::name(method.method)),
      .sweep = {},
      .in_use = {method.accuracy.mean, method.switch_time.mean, has_p ? "mean at " + p_text(*p) : "mean"},
      .participants = {}};
  for (const pipeline::TradeOffPoint& point : method.curve) {
    curve.sweep.push_back({point.accuracy.mean, point.switch_time.mean, "mean at " + p_text(point.switch_probability)});
  }
  for (const pipeline::ParticipantResult& participant : method.participants) {
    curve.participants.push_back(
        {participant.metrics.accuracy, participant.metrics.switch_time, "participant " + participant.id});
  }
  return curve;
}

// What the curves are made of, if there are any.
std::string sweep_text(const pipeline::Comparison& comparison) {
  const auto has_none = [](const pipeline::MethodResult& method) { return method.curve.empty(); };
  const auto swept = std::ranges::find_if_not(comparison.methods, has_none);
  if (swept == comparison.methods.end()) return "";
  return fmt::format("; curves: p from {:.3g} (left) to {:.3g} (right); large marks: {}{}",
                     swept->curve.back().switch_probability, swept->curve.front().switch_probability,
                     p_text(*comparison.switch_probability),
                     std::ranges::any_of(comparison.methods, has_none) ? "; methods without p have one mark" : "");
}

}  // namespace

report::Drawing trade_off_drawing(const PlotFlags& flags, const pipeline::Comparison& comparison,
                                  const std::string& switches) {
  report::TradeOffPicture picture{.curves = {},
                                  .chance = comparison.chance,
                                  .title = flags.title,
                                  .subtitle = fmt::format("switches {}{}", switches, sweep_text(comparison))};
  if (picture.title.empty()) {
    picture.title = fmt::format("{}, {}, windows of {} s",
                                count_text(comparison.methods.front().participants.size(), "participant"),
                                count_text(comparison.speakers, "speaker"), comparison.window.value);
  }
  for (const pipeline::MethodResult& method : comparison.methods) {
    picture.curves.push_back(curve_of(method, comparison.switch_probability));
  }
  return report::draw_trade_off(picture, {.width = flags.width});
}

}  // namespace heed::app
