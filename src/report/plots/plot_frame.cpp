// SPDX-License-Identifier: MIT
#include <report/plots/plot_frame.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double tick_size = 7;
constexpr double title_size = 8;

}  // namespace

Group framed_plot(const PlotFrame& frame) {
  Group group{"axes", {}};
  const Rectangle& area = frame.area;
  const Stroke hair{grid_ink, 0.4, 0};
  const auto label = [&](Point at, const std::string& text, Anchor anchor) {
    group.shapes.emplace_back(Text{.at = at, .text = text, .size = tick_size, .anchor = anchor, .colour = ink});
  };
  for (const PlacedTick& tick : frame.across.ticks) {
    group.shapes.emplace_back(line({tick.at, area.top}, {tick.at, area.bottom()}, hair));
    label({tick.at, area.bottom() + 9.5}, tick.label, Anchor::middle);
  }
  for (const PlacedTick& tick : frame.up.ticks) {
    group.shapes.emplace_back(line({area.left, tick.at}, {area.right(), tick.at}, hair));
    label({area.left - 4, tick.at + 2.5}, tick.label, Anchor::end);
  }
  group.shapes.emplace_back(framed(area, {ink, 0.5, 0}));
  const auto title = [&](Point at, const std::string& text, bool climbs) {
    group.shapes.emplace_back(
        Text{.at = at, .text = text, .size = title_size, .anchor = Anchor::middle, .colour = ink, .climbs = climbs});
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
