// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/frame.h>
#include <report/shapes.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double left = 9;
constexpr double stamp_top = 3.5;
constexpr double stamp_bottom = 15.5;

// How wide it is, with the space that keeps words away from it.
double add_stamp(Drawing& drawing, const std::string& words) {
  if (words.empty()) return 0;
  constexpr double size = 7;
  const std::string text = elided(words, size, drawing.width / 3);
  const double width = (1.1 * text_width(text, size)) + 10;  // bold letters are a tenth wider
  const Rectangle box{drawing.width - left - width, stamp_top, width, stamp_bottom - stamp_top};
  Text label = words_at({box.left + (width / 2), box.middle() + 2.5}, text, size, Anchor::middle, alarm_ink);
  label.bold = true;
  drawing.groups.push_back({"stamp", {framed(box, {alarm_ink, 0.8, 0}), std::move(label)}});
  return width + 8;
}

constexpr double title_size = 8;
constexpr double tick_length = 2.5;

// The whole box, or the axes that have ticks.
Polyline edge_of(const Rectangle& area, const PlotFrame& frame) {
  const Stroke stroke{ink, 0.5, 0};
  if (frame.style.boxed) return framed(area, stroke);
  Polyline axes = line({area.left, area.bottom()}, {area.right(), area.bottom()}, stroke);
  if (!frame.up.ticks.empty()) axes.pieces.front().insert(axes.pieces.front().begin(), {area.left, area.top});
  return axes;
}

}  // namespace

Drawing titled_drawing(double width, const std::string& title, const std::string& subtitle, const std::string& stamp) {
  constexpr double narrowest = 70;
  constexpr double widest = 2000;
  if (!(width >= narrowest && width <= widest)) {
    throw Error(ErrorKind::invalid_argument, "a figure " + number_label(width, 1) + " mm wide cannot be drawn; give " +
                                                 number_label(narrowest) + " to " + number_label(widest) + " mm");
  }
  Drawing drawing;
  drawing.width = width * points_per_millimetre;
  drawing.title = subtitle.empty() ? title : title + ": " + subtitle;
  drawing.height = 5;
  const double taken = add_stamp(drawing, stamp);
  Group group{"title", {}};
  const auto add = [&](const std::string& text, double size, bool bold) {
    const double beside = drawing.height < stamp_bottom ? taken : 0;
    const double room = (drawing.width - (2 * left) - beside) / (bold ? 1.1 : 1);
    for (std::string& words : wrapped(text, size, room, 3)) {
      drawing.height += size + 2;
      group.shapes.emplace_back(
          Text{.at = {left, drawing.height - 2}, .text = std::move(words), .size = size, .colour = ink, .bold = bold});
    }
  };
  add(title, 8.5, true);
  add(subtitle, 7, false);
  if (taken > 0) drawing.height = std::max(drawing.height, stamp_bottom);
  drawing.height += 4;
  drawing.groups.push_back(std::move(group));
  return drawing;
}

std::string stamp_sentence(const std::string& stamp) {
  if (stamp.empty()) return "";
  std::string sentence = " " + stamp + ".";
  if (sentence[1] >= 'a' && sentence[1] <= 'z') sentence[1] = static_cast<char>(sentence[1] - 'a' + 'A');
  return sentence;
}

void append_caption(Drawing& drawing, const std::string& text, const CaptionPlace& place) {
  constexpr double size = 6;
  Group group{"caption", {}};
  for (std::string& words : wrapped(text, size, place.room, 5)) {
    drawing.height += size + 2;
    group.shapes.emplace_back(words_at({place.left, drawing.height - 3}, std::move(words), size));
  }
  append_group(drawing, std::move(group));
}

Legend lay_out_legend(const std::vector<LegendEntry>& entries, const LegendPlace& place) {
  constexpr double size = 7;
  constexpr double between_sign_and_text = 3;
  constexpr double between_entries = 12;
  constexpr double longest_name = 200;
  Legend legend;
  if (entries.empty()) return legend;
  Point at = place.top_left;
  for (const LegendEntry& entry : entries) {
    const double sign_width = place.one_per_line ? place.sign_width : entry.sign_width.value_or(place.sign_width);
    const double sign_room = sign_width + between_sign_and_text;
    const std::string text = elided(entry.text, size, std::min(longest_name, place.room - sign_room));
    const double width = sign_room + text_width(text, size);
    const bool full = place.one_per_line || at.x + width > place.top_left.x + place.room;
    if (at.x > place.top_left.x && full) at = {place.top_left.x, at.y + legend_line};
    const double middle = at.y + (legend_swatch / 2);
    for (const Shape& shape : entry.sign) {
      legend.group.shapes.push_back(moved(shape, {at.x + (sign_width / 2), middle}));
    }
    legend.group.shapes.emplace_back(words_at({at.x + sign_room, middle + (0.36 * size)}, text, size));
    at.x += width + between_entries;
  }
  legend.height = at.y - place.top_left.y + legend_line;
  return legend;
}

void append_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, const LegendPlace& place) {
  Legend legend = lay_out_legend(entries, place);
  drawing.height += legend.height;
  append_group(drawing, std::move(legend.group));
}

Rectangle swatch_area() { return {-legend_swatch / 2, -legend_swatch / 2, legend_swatch, legend_swatch}; }

Group framed_plot(const PlotFrame& frame) {
  Group group{"axes", {}};
  const Rectangle& area = frame.area;
  const Stroke hair{grid_ink, 0.4, 0};
  const double mark = frame.style.boxed ? 0 : tick_length;
  const auto write = [&](Text text) {
    if (!text.text.empty()) group.shapes.emplace_back(std::move(text));
  };
  for (const PlacedTick& tick : frame.across.ticks) {
    if (frame.style.upright) group.shapes.emplace_back(line({tick.at, area.top}, {tick.at, area.bottom()}, hair));
    if (mark > 0)
      group.shapes.emplace_back(line({tick.at, area.bottom()}, {tick.at, area.bottom() + mark}, {ink, 0.5, 0}));
    write(words_at({tick.at, area.bottom() + 9.5}, tick.label, plot_tick_size, Anchor::middle));
  }
  for (const PlacedTick& tick : frame.up.ticks) {
    if (frame.style.level) group.shapes.emplace_back(line({area.left, tick.at}, {area.right(), tick.at}, hair));
    if (mark > 0) group.shapes.emplace_back(line({area.left - mark, tick.at}, {area.left, tick.at}, {ink, 0.5, 0}));
    write(words_at({area.left - 4, tick.at + 2.5}, tick.label, plot_tick_size, Anchor::end));
  }
  group.shapes.emplace_back(edge_of(area, frame));
  write(words_at({area.left + (area.width / 2), area.bottom() + 22}, frame.across.title, title_size, Anchor::middle));
  write(climbing({area.left - plot_left_margin + 13, area.middle()}, frame.up.title, title_size));
  return group;
}

int ticks_across(const Rectangle& area) {
  constexpr double room = 38;
  return std::max(2, static_cast<int>(area.width / room));
}

std::vector<PlacedTick> placed(const Axis& axis, const std::vector<Tick>& ticks) {
  std::vector<PlacedTick> result;
  result.reserve(ticks.size());
  for (const Tick& tick : ticks) result.push_back({axis.place(tick.value), tick.label});
  return result;
}

PlotAxis titled_axis(std::string title, const Axis& axis, int wanted) {
  return {.title = std::move(title), .ticks = placed(axis, axis.ticks(wanted))};
}

Group chance_line(const Rectangle& area, double height) {
  return {"chance",
          {line({area.left, height}, {area.right(), height}, {faint_ink, 0.6, 2.5}),
           words_at({area.right() - 3, height - 2.5}, "chance", 6, Anchor::end, faint_ink)}};
}

std::vector<Shape> broken_line(std::span<const Point> points, const Stroke& stroke, const std::string& hint) {
  Polyline path{.closed = false, .stroke = stroke, .hint = hint};
  std::vector<Shape> shapes;
  std::vector<Point> piece;
  const auto end_piece = [&] {
    if (piece.size() == 1) {
      shapes.emplace_back(Circle{.centre = piece.front(), .radius = stroke.width, .fill = stroke.colour, .hint = hint});
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

void append_group(Drawing& drawing, Group group) {
  if (!group.shapes.empty()) drawing.groups.push_back(std::move(group));
}

}  // namespace heed::report
