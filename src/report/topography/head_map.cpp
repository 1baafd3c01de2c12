// SPDX-License-Identifier: MIT
#include <report/ink/shapes.h>
#include <report/topography/head_map.h>
#include <report/topography/map_colours.h>
#include <report/topography/spherical_spline.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace heed::report {
namespace {

Stroke outline_stroke(const HeadPlace& head) { return {ink, std::clamp(head.radius / 32, 0.5, 1.1), 0}; }

Circle rim_line(const HeadPlace& head) {
  return {.centre = head.centre, .radius = head.radius, .fill = {}, .stroke = outline_stroke(head), .hint = {}};
}

}  // namespace

double rim_around(const std::vector<Electrode>& electrodes) {
  constexpr double air = 1.06;
  double rim = 1;
  for (const Electrode& one : electrodes) {
    const Point place = on_plane(one.direction);
    const double radius = std::hypot(place.x, place.y);
    if (radius > 1) rim = std::max(rim, air * radius);
  }
  return rim;
}

Group field_bands(const HeadMesh& mesh, const HeadPlace& head, const std::vector<Electrode>& electrodes, double most) {
  constexpr double tolerance = 0.09;  // points
  std::vector<ScalpPosition> sources;
  std::vector<ScalpPosition> targets;
  std::vector<double> values;
  for (const Electrode& one : electrodes) {
    sources.push_back(one.direction);
    values.push_back(one.value / most);
  }
  for (const Point& vertex : mesh.vertices()) targets.push_back(on_sphere(vertex));
  std::vector<double> field = interpolated(sources, values, targets);
  // Beyond the outermost electrodes the spline runs on; no colour shall say more than was measured.
  const auto [least, greatest] = std::ranges::minmax(values);
  for (double& value : field) value = std::clamp(value, least, greatest);
  // The whole head in the lowest colour, and every higher one on top of it.
  std::size_t band = 0;
  while (band + 1 < colour_bands && band_start(band + 1) <= least) ++band;
  Group group{
      "field",
      {Circle{.centre = head.centre, .radius = head.radius, .fill = band_colour(band), .stroke = {}, .hint = {}}}};
  for (++band; band < colour_bands && band_start(band) <= greatest; ++band) {
    Path path{.pieces = {}, .closed = true, .fill = band_colour(band), .stroke = {}, .hint = {}};
    for (std::vector<Point>& outline : mesh.region_above(field, band_start(band))) {
      for (Point& point : outline) point = head.place(point);
      outline = simplified(outline, tolerance);
      if (outline.size() > 2) path.pieces.push_back(std::move(outline));
    }
    if (!path.pieces.empty()) group.shapes.emplace_back(std::move(path));
  }
  group.shapes.emplace_back(rim_line(head));
  return group;
}

Group head_outline(const HeadPlace& head) {
  const Stroke stroke = outline_stroke(head);
  const double r = head.radius;
  const Point c = head.centre;
  Path nose{.pieces = {{}}, .closed = false, .fill = paper, .stroke = stroke, .hint = {}};
  constexpr double half_nose = 0.16;  // radians
  for (const auto& [angle, reach] : {std::pair{-half_nose, 1.0}, {-0.025, 1.14}, {0.025, 1.14}, {half_nose, 1.0}}) {
    nose.pieces[0].push_back({c.x + (r * reach * std::sin(angle)), c.y - (r * reach * std::cos(angle))});
  }
  Group group{"head", {std::move(nose)}};
  for (const double side : {-1.0, 1.0}) {
    Path ear{.pieces = {{}}, .closed = false, .fill = paper, .stroke = stroke, .hint = {}};
    constexpr int steps = 12;
    for (int k = 0; k <= steps; ++k) {
      const double turn = std::numbers::pi * k / steps;
      ear.pieces[0].push_back(
          {c.x + (side * r * (0.985 + (0.085 * std::sin(turn)))), c.y - (r * 0.19 * std::cos(turn))});
    }
    group.shapes.emplace_back(std::move(ear));
  }
  Circle skull = rim_line(head);
  skull.fill = paper;
  group.shapes.emplace_back(std::move(skull));
  return group;
}

Group electrode_dots(const HeadPlace& head, const std::vector<Electrode>& electrodes) {
  constexpr std::size_t most_with_hints = 80;
  const double radius = std::clamp(head.radius / 45, 0.4, 0.9);
  Group group{"electrodes", {}};
  if (electrodes.size() <= most_with_hints) {
    for (const Electrode& one : electrodes) {
      const Point at = head.place(on_plane(one.direction));
      group.shapes.emplace_back(Circle{.centre = at, .radius = radius, .fill = ink, .stroke = {}, .hint = one.hint});
    }
    return group;
  }
  Path dots{.pieces = {}, .closed = true, .fill = ink, .stroke = {}, .hint = {}};
  const double side = 1.2 * radius;
  for (const Electrode& one : electrodes) {
    const Point at = head.place(on_plane(one.direction));
    const Path square = filled({at.x - (side / 2), at.y - (side / 2), side, side}, ink);
    dots.pieces.push_back(square.pieces.front());
  }
  group.shapes.emplace_back(std::move(dots));
  return group;
}

}  // namespace heed::report
