// SPDX-License-Identifier: MIT
#include <report/plots/plot_frame.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double title_size = 8;
constexpr double tick_length = 2.5;

// The whole box, or the axes that have ticks.
Path edge_of(const Rectangle& area, const PlotFrame& frame) {
  const Stroke stroke{ink, 0.5, 0};
  if (frame.style.boxed) return framed(area, stroke);
  Path axes = line({area.left, area.bottom()}, {area.right(), area.bottom()}, stroke);
  if (!frame.up.ticks.empty()) axes.pieces.front().insert(axes.pieces.front().begin(), {area.left, area.top});
  return axes;
}

}  // namespace

Group framed_plot(const PlotFrame& frame) {
  Group group{"axes", {}};
  const Rectangle& area = frame.area;
  const Stroke hair{grid_ink, 0.4, 0};
  const double mark = frame.style.boxed ? 0 : tick_length;
  const auto write = [&](Text text) {
    text.colour = ink;
    if (!text.text.empty()) group.shapes.emplace_back(std::move(text));
  };
  for (const PlacedTick& tick : frame.across.ticks) {
    if (frame.style.upright) group.shapes.emplace_back(line({tick.at, area.top}, {tick.at, area.bottom()}, hair));
    if (mark > 0)
      group.shapes.emplace_back(line({tick.at, area.bottom()}, {tick.at, area.bottom() + mark}, {ink, 0.5, 0}));
    write({.at = {tick.at, area.bottom() + 9.5}, .text = tick.label, .size = plot_tick_size, .anchor = Anchor::middle});
  }
  for (const PlacedTick& tick : frame.up.ticks) {
    if (frame.style.level) group.shapes.emplace_back(line({area.left, tick.at}, {area.right(), tick.at}, hair));
    if (mark > 0) group.shapes.emplace_back(line({area.left - mark, tick.at}, {area.left, tick.at}, {ink, 0.5, 0}));
    write({.at = {area.left - 4, tick.at + 2.5}, .text = tick.label, .size = plot_tick_size, .anchor = Anchor::end});
  }
  group.shapes.emplace_back(edge_of(area, frame));
  const auto title = [&](Point at, const std::string& text, bool climbs) {
    write({.at = at, .text = text, .size = title_size, .anchor = Anchor::middle, .climbs = climbs});
  };
  title({area.left + (area.width / 2), area.bottom() + 22}, frame.across.title, false);
  title({area.left - plot_left_margin + 13, area.middle()}, frame.up.title, true);
  return group;
}

int ticks_across(const Rectangle& area) {
  constexpr double room = 38;
  return std::max(2, static_cast<int>(area.width / room));
}

PlotAxis linear_axis(std::string title, const LinearScale& scale, int wanted) {
  PlotAxis axis{.title = std::move(title), .ticks = {}};
  for (Tick& tick : linear_ticks(scale.values, wanted)) {
    axis.ticks.push_back({scale.place(tick.value), std::move(tick.label)});
  }
  return axis;
}

Group chance_line(const Rectangle& area, double height) {
  return {"chance",
          {line({area.left, height}, {area.right(), height}, {faint_ink, 0.6, 2.5}),
           Text{.at = {area.right() - 3, height - 2.5},
                .text = "chance",
                .size = 6,
                .anchor = Anchor::end,
                .colour = faint_ink}}};
}

std::vector<Shape> broken_line(std::span<const Point> points, const Stroke& stroke, const std::string& hint) {
  Path path{.pieces = {}, .closed = false, .fill = {}, .stroke = stroke, .hint = hint};
  std::vector<Shape> shapes;
  std::vector<Point> piece;
  const auto end_piece = [&] {
    if (piece.size() == 1) {
      shapes.emplace_back(
          Circle{.centre = piece.front(), .radius = stroke.width, .fill = stroke.colour, .stroke = {}, .hint = hint});
    } else if (!piece.empty()) {
      path.pieces.push_back(std::move(piece));
    }
    piece.clear();
  };
  for (const Point& point : points) {
    if (std::isfinite(point.y)) {
      piece.push_back(point);
    } else {
      end_piece();
    }
  }
  end_piece();
  if (!path.pieces.empty()) shapes.emplace_back(std::move(path));
  return shapes;
}

}  // namespace heed::report
