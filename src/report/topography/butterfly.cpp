// SPDX-License-Identifier: MIT
#include <report/ink/legend.h>
#include <report/plots/plot_frame.h>
#include <report/topography/butterfly.h>
#include <report/topography/map_colours.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double inset_room = 84;
constexpr double right_margin = 10;
constexpr Stroke power_stroke{ink, 1.8, 0};
constexpr Colour placeless{165, 165, 165};

struct Plot {
  Rectangle area{};
  LinearScale across{};
  LinearScale up{};
};

bool is_placed(const ShownPattern& pattern) { return pattern.placed() > 0; }

Plot lay_out(const Drawing& drawing, const ShownPattern& pattern) {
  const double beside = is_placed(pattern) ? inset_room : right_margin;
  const double width = drawing.width - plot_left_margin - beside;
  Plot plot;
  plot.area = {plot_left_margin, drawing.height, width, std::clamp(0.3 * width, 85.0, 130.0)};
  Range lags{pattern.milliseconds(0), pattern.milliseconds(pattern.lags() - 1)};
  if (lags.low == lags.high) lags = {lags.low - 10, lags.high + 10};
  const double most = pattern.largest() > 0 ? 1.08 * pattern.largest() : 1;
  plot.across = {lags, {plot.area.left, plot.area.right()}};
  plot.up = {{-most, most}, {plot.area.bottom(), plot.area.top}};
  return plot;
}

void add_legend(Drawing& drawing, const ShownPattern& pattern) {
  const auto stroke = [](const Stroke& one) {
    return [one](const Rectangle& box) {
      return std::vector<Shape>{line({box.left, box.middle()}, {box.right(), box.middle()}, one)};
    };
  };
  std::vector<LegendEntry> entries{{"global field power", stroke(power_stroke)}};
  if (is_placed(pattern)) entries.push_back({"a channel, coloured by its place", stroke({{0, 98, 190}, 0.7, 0})});
  if (pattern.placed() < pattern.channels()) {
    entries.push_back({"a channel without a known place", stroke({placeless, 0.7, 0})});
  }
  Legend legend = lay_out_legend(entries, {.top_left = {plot_left_margin, drawing.height},
                                           .room = drawing.width - plot_left_margin - right_margin,
                                           .sign_width = 14});
  drawing.groups.push_back(std::move(legend.group));
  drawing.height += legend.height + 3;
}

Group channel_lines(const ShownPattern& pattern, const Plot& plot) {
  Group group{"channels", {}};
  for (Index c = 0; c < pattern.channels(); ++c) {
    std::vector<Point> points;
    for (Index k = 0; k < pattern.lags(); ++k) {
      points.push_back({plot.across.place(pattern.milliseconds(k)), plot.up.place(pattern.value(c, k))});
    }
    const auto& direction = pattern.direction(c);
    const Stroke stroke{direction ? place_colour(*direction) : placeless, 0.6, 0};
    const std::string& name = pattern.picture().channels[static_cast<std::size_t>(c)];
    for (Shape& shape : broken_line(points, stroke, name)) group.shapes.push_back(std::move(shape));
  }
  return group;
}

Group power_line(const ShownPattern& pattern, const Plot& plot) {
  std::vector<Point> points;
  for (Index k = 0; k < pattern.lags(); ++k) {
    points.push_back({plot.across.place(pattern.milliseconds(k)), plot.up.place(pattern.field_power(k))});
  }
  return {"field-power", broken_line(points, power_stroke, "global field power")};
}

// A small head that tells which colour is where.
void add_inset(Drawing& drawing, const ShownPattern& pattern, const Rectangle& beside) {
  std::vector<Electrode> electrodes;
  for (Index c = 0; c < pattern.channels(); ++c) {
    const std::string& name = pattern.picture().channels[static_cast<std::size_t>(c)];
    if (pattern.direction(c)) electrodes.push_back({name, *pattern.direction(c), 0, name});
  }
  HeadPlace head{{drawing.width - (inset_room / 2), beside.middle()}, 27, rim_around(electrodes)};
  drawing.groups.push_back(head_outline(head));
  Group dots{"places", {}};
  for (const Electrode& one : electrodes) {
    dots.shapes.emplace_back(Circle{.centre = head.place(on_plane(one.direction)),
                                    .radius = electrodes.size() > 80 ? 1.3 : 1.9,
                                    .fill = place_colour(one.direction),
                                    .stroke = {},
                                    .hint = one.hint});
  }
  drawing.groups.push_back(std::move(dots));
}

}  // namespace

void append_butterfly(Drawing& drawing, const ShownPattern& pattern) {
  add_legend(drawing, pattern);
  const Plot plot = lay_out(drawing, pattern);
  const std::string unit = pattern.unit().empty() ? "" : " (" + pattern.unit() + ")";
  drawing.groups.push_back(
      framed_plot({.area = plot.area,
                   .across = linear_axis("lag of the EEG (ms)", plot.across, ticks_across(plot.area)),
                   .up = linear_axis("pattern" + unit, plot.up, 6)}));
  const double zero = plot.up.place(0);
  drawing.groups.push_back({"zero", {line({plot.area.left, zero}, {plot.area.right(), zero}, {faint_ink, 0.6, 0})}});
  drawing.groups.push_back(channel_lines(pattern, plot));
  drawing.groups.push_back(power_line(pattern, plot));
  if (is_placed(pattern)) add_inset(drawing, pattern, plot.area);
  drawing.height = plot.area.bottom() + plot_bottom_margin;
}

}  // namespace heed::report
