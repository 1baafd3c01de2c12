// SPDX-License-Identifier: MIT
#include <report/shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace heed::report {
namespace {

std::uint8_t paler(std::uint8_t channel, double share) {
  return static_cast<std::uint8_t>(std::lround(channel + ((255 - channel) * share)));
}

// Five tips, the first one up.
std::vector<Point> star_outline(Point c, double size) {
  // Of the outer radius: a little rounder than a pentagram, so that small ones stay open.
  constexpr double inner = 0.42;
  std::vector<Point> points;
  for (int k = 0; k < 10; ++k) {
    const double angle = std::numbers::pi * k / 5;
    const double radius = size / 2 * (k % 2 == 0 ? 1 : inner);
    points.push_back({c.x + (radius * std::sin(angle)), c.y - (radius * std::cos(angle))});
  }
  return points;
}

std::vector<Point> outline(MarkShape kind, Point c, double size) {
  const double half = size / 2;
  switch (kind) {
    case MarkShape::triangle_down:
      return {{c.x - half, c.y - half}, {c.x + half, c.y - half}, {c.x, c.y + half}};
    case MarkShape::triangle_up:
      return {{c.x - half, c.y + half}, {c.x + half, c.y + half}, {c.x, c.y - half}};
    case MarkShape::diamond:
      return {
          {c.x, c.y - (1.2 * half)}, {c.x + (1.2 * half), c.y}, {c.x, c.y + (1.2 * half)}, {c.x - (1.2 * half), c.y}};
    case MarkShape::star:
      return star_outline(c, size);
    default:
      break;
  }
  const double side = 0.9 * half;
  return {{c.x - side, c.y - side}, {c.x + side, c.y - side}, {c.x + side, c.y + side}, {c.x - side, c.y + side}};
}

Polyline cross(Point c, double size, Colour colour) {
  const double half = 0.8 * size / 2;
  return {.pieces = {{{c.x - half, c.y - half}, {c.x + half, c.y + half}},
                     {{c.x - half, c.y + half}, {c.x + half, c.y - half}}},
          .closed = false,
          .stroke = Stroke{colour, std::max(0.9, size / 6)}};
}

}  // namespace

Colour palette(std::size_t index) {
  const Colour base = speaker_colours[index % speaker_colours.size()];
  const std::size_t round = index / speaker_colours.size();
  const double share = 1 - std::pow(0.6, static_cast<double>(round));
  return {paler(base.red, share), paler(base.green, share), paler(base.blue, share)};
}

Colour with_opacity(Colour colour, double opacity) {
  colour.opacity = opacity;
  return colour;
}

Colour readable_on(Colour background) {
  const double luminance = (0.299 * background.red) + (0.587 * background.green) + (0.114 * background.blue);
  return luminance > 125 ? black : paper;
}

Polyline filled(const Rectangle& area, Colour fill) {
  return {.pieces = {{{area.left, area.top},
                      {area.right(), area.top},
                      {area.right(), area.bottom()},
                      {area.left, area.bottom()}}},
          .closed = true,
          .fill = fill};
}

Polyline framed(const Rectangle& area, const Stroke& stroke) {
  Polyline frame = filled(area, paper);
  frame.fill.reset();
  frame.stroke = stroke;
  return frame;
}

Polyline line(Point from, Point to, const Stroke& stroke) {
  return {.pieces = {{from, to}}, .closed = false, .stroke = stroke};
}

Polyline hatched(const Rectangle& area, const Stroke& stroke) {
  constexpr double spacing = 3;
  Polyline lines{.closed = false, .stroke = stroke};
  // x + y is constant along a line; the grid is the paper's, so that neighbouring areas join.
  const auto first = static_cast<int>(std::ceil((area.left + area.top) / spacing));
  for (int k = first; k * spacing < area.right() + area.bottom(); ++k) {
    const double sum = k * spacing;
    const double low_x = std::max(area.left, sum - area.bottom());
    const double high_x = std::min(area.right(), sum - area.top);
    if (high_x > low_x) lines.pieces.push_back({{low_x, sum - low_x}, {high_x, sum - high_x}});
  }
  return lines;
}

Text words_at(Point at, std::string text, double size, Anchor anchor, Colour colour) {
  return {.at = at, .text = std::move(text), .size = size, .anchor = anchor, .colour = colour};
}

Text climbing(Point middle, std::string text, double size) {
  Text label = words_at(middle, std::move(text), size, Anchor::middle);
  label.climbs = true;
  return label;
}

MarkShape mark_shape(std::size_t index) {
  constexpr std::array markers{MarkShape::circle, MarkShape::square, MarkShape::triangle_up, MarkShape::diamond,
                               MarkShape::triangle_down};
  return markers[index % markers.size()];
}

Shape filled_mark(MarkShape kind, Point centre, double size, Colour colour) {
  if (kind == MarkShape::cross) return cross(centre, size, colour);
  if (kind == MarkShape::circle) return Circle{.centre = centre, .radius = size / 2, .fill = colour};
  return Polyline{.pieces = {outline(kind, centre, size)}, .fill = colour};
}

Shape hollow_mark(MarkShape kind, Point centre, double size, Colour colour) {
  if (kind == MarkShape::cross) return cross(centre, size, colour);
  if (kind == MarkShape::circle) return Circle{.centre = centre, .radius = size / 2, .stroke = Stroke{colour, 0.6}};
  return Polyline{.pieces = {outline(kind, centre, size)}, .stroke = Stroke{colour, 0.6}};
}

Shape edged(Shape shape, const Stroke& edge) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.stroke; }) one.stroke = edge;
      },
      shape);
  return shape;
}

Shape hinted(Shape shape, const std::string& hint) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.hint; }) one.hint = hint;
      },
      shape);
  return shape;
}

Shape moved(Shape shape, Point by) {
  const auto move = [&](Point& point) { point = {point.x + by.x, point.y + by.y}; };
  if (auto* path = std::get_if<Polyline>(&shape)) {
    for (auto& piece : path->pieces) std::ranges::for_each(piece, move);
  } else if (auto* circle = std::get_if<Circle>(&shape)) {
    move(circle->centre);
  } else {
    move(std::get<Text>(shape).at);
  }
  return shape;
}

}  // namespace heed::report
