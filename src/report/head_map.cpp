// SPDX-License-Identifier: MIT
#include <dsp/interpolate.h>
#include <report/head_map.h>
#include <report/shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace heed::report {
namespace {

constexpr double quarter_turn = std::numbers::pi / 2;

std::uint8_t between(std::uint8_t a, std::uint8_t b, double share) {
  return static_cast<std::uint8_t>(std::lround(a + (share * (b - a))));
}

Colour mixed(Colour a, Colour b, double share) {
  return {between(a.red, b.red, share), between(a.green, b.green, share), between(a.blue, b.blue, share)};
}

constexpr std::size_t rings = 26;
constexpr std::size_t spokes = head_spokes;

// Evenly spread, counter-clockwise from the right.
std::array<Point, spokes> directions() {
  std::array<Point, spokes> all{};
  for (std::size_t k = 0; k < spokes; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(spokes);
    all[k] = {std::cos(angle), std::sin(angle)};
  }
  return all;
}

double product(Point a, Point b) { return (a.x * b.x) + (a.y * b.y); }

// From a point within the circle around the origin to the circle.
double reach_to_circle(Point from, Point direction, double radius) {
  const double along = product(from, direction);
  return -along + std::sqrt((along * along) - product(from, from) + (radius * radius));
}

// A corner of an outline: a vertex (twice the same number), or the crossing of an edge (its lower vertex first).
using Corner = std::pair<std::size_t, std::size_t>;

Corner crossing(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

// Whom each corner is followed by, with the region to the left.
class Outlines {
 public:
  Outlines(std::span<const Point> vertices, std::span<const double> values, double level)
      : vertices_(vertices), values_(values), level_(level) {}

  [[nodiscard]] bool inside(std::size_t vertex) const { return values_[vertex] >= level_; }

  // Through the triangle: from where its border leaves the region to where it comes back.
  void add_triangle(const std::array<std::size_t, 3>& triangle) {
    Corner leaves{};
    Corner returns{};
    bool crossed = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = triangle[k];
      const std::size_t to = triangle[(k + 1) % 3];
      if (inside(from) == inside(to)) continue;
      (inside(from) ? leaves : returns) = crossing(from, to);
      crossed = true;
    }
    if (crossed) next_[leaves] = returns;
  }

  // Along the rim, as far as it belongs to the region.
  void add_rim(std::size_t from, std::size_t to) {
    if (!inside(from) && !inside(to)) return;
    const Corner start = inside(from) ? Corner{from, from} : crossing(from, to);
    next_[start] = inside(to) ? Corner{to, to} : crossing(from, to);
  }

  [[nodiscard]] std::vector<std::vector<Point>> take() {
    std::vector<std::vector<Point>> outlines;
    while (!next_.empty()) {
      std::vector<Point> outline;
      for (auto at = next_.begin(); at != next_.end();) {
        outline.push_back(place(at->first));
        const Corner following = at->second;
        next_.erase(at);
        at = next_.find(following);
      }
      outlines.push_back(std::move(outline));
    }
    return outlines;
  }

 private:
  [[nodiscard]] Point place(const Corner& corner) const {
    const auto [a, b] = corner;
    if (a == b) return vertices_[a];
    const double share = (level_ - values_[a]) / (values_[b] - values_[a]);
    return {vertices_[a].x + (share * (vertices_[b].x - vertices_[a].x)),
            vertices_[a].y + (share * (vertices_[b].y - vertices_[a].y))};
  }

  std::span<const Point> vertices_;
  std::span<const double> values_;
  double level_;
  std::map<Corner, Corner> next_;  // ordered, so that a figure has the same bytes everywhere
};

double distance(Point p, Point a, Point b) {
  const Point along{b.x - a.x, b.y - a.y};
  const double length = std::hypot(along.x, along.y);
  if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
  return std::abs(((p.x - a.x) * along.y) - ((p.y - a.y) * along.x)) / length;
}

// Keeps the farthest point between two kept ones until none is far (Douglas and Peucker 1973).
void keep_far_points(std::span<const Point> points, double tolerance, std::vector<Point>& kept) {
  std::size_t farthest = 0;
  double most = tolerance;
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const double far = distance(points[k], points.front(), points.back());
    if (far > most) {
      most = far;
      farthest = k;
    }
  }
  if (farthest != 0) {
    keep_far_points(points.first(farthest + 1), tolerance, kept);
    keep_far_points(points.subspan(farthest), tolerance, kept);
  } else {
    kept.push_back(points.front());
  }
}

Stroke outline_stroke(const HeadPlace& head) { return {ink, std::clamp(head.radius / 32, 0.5, 1.1), 0}; }

Circle rim_line(const HeadPlace& head) {
  return {.centre = head.centre, .radius = head.radius, .stroke = outline_stroke(head)};
}

}  // namespace

std::optional<dsp::ElectrodePosition> unit_direction(const std::optional<dsp::ElectrodePosition>& position) {
  if (!position) return {};
  const double length = std::hypot(position->x, position->y, position->z);
  if (!std::isfinite(length) || length <= 0) return {};
  return dsp::ElectrodePosition{position->x / length, position->y / length, position->z / length};
}

Point on_plane(const dsp::ElectrodePosition& direction) {
  const double flat = std::hypot(direction.x, direction.y);
  if (flat == 0) return {0, direction.z < 0 ? -2.0 : 0.0};  // straight down has no side: put it at the back
  const double radius = std::atan2(flat, direction.z) / quarter_turn;
  return {radius * direction.x / flat, radius * direction.y / flat};
}

dsp::ElectrodePosition on_sphere(Point place) {
  const double radius = std::hypot(place.x, place.y);
  if (radius == 0) return {0, 0, 1};
  const double flat = std::sin(radius * quarter_turn);
  return {flat * place.x / radius, flat * place.y / radius, std::cos(radius * quarter_turn)};
}

Colour band_colour(std::size_t band) {
  const double place = static_cast<double>(band * (map_colours.size() - 1)) / static_cast<double>(colour_bands - 1);
  const auto k = std::min(static_cast<std::size_t>(place), map_colours.size() - 2);
  return mixed(map_colours[k], map_colours[k + 1], place - static_cast<double>(k));
}

double band_start(std::size_t band) { return (2 * static_cast<double>(band) / static_cast<double>(colour_bands)) - 1; }

Colour place_colour(const dsp::ElectrodePosition& direction) {
  const double off_centre = std::sqrt(std::min(1.0, std::abs(direction.x)));
  const Colour side = mixed(middle_ink, direction.x < 0 ? left_ink : right_ink, off_centre);
  if (direction.y < 0) return mixed(side, black, 0.62 * std::min(1.0, -direction.y));
  return mixed(side, paper, 0.38 * std::min(1.0, direction.y));
}

HeadPart whole_head(double rim) {
  HeadPart head;
  head.reach.fill(rim);
  return head;
}

// A convex set is what lies on the inner side of all its tangents, here one per direction.
HeadPart covered_part(std::span<const Point> electrodes, double rim) {
  constexpr double beyond = 0.12;  // about half the distance between the electrodes of a cap of 64
  HeadPart part;
  for (const Point& electrode : electrodes) {
    part.centre.x += electrode.x / static_cast<double>(electrodes.size());
    part.centre.y += electrode.y / static_cast<double>(electrodes.size());
  }
  const auto all = directions();
  for (std::size_t spoke = 0; spoke < spokes; ++spoke)
    part.reach[spoke] = reach_to_circle(part.centre, all[spoke], rim);
  for (const Point& normal : all) {
    double farthest = 0;  // from the centre, which lies between the electrodes
    for (const Point& electrode : electrodes) {
      farthest = std::max(farthest, product(normal, {electrode.x - part.centre.x, electrode.y - part.centre.y}));
    }
    for (std::size_t spoke = 0; spoke < spokes; ++spoke) {
      const double speed = product(normal, all[spoke]);
      if (speed > 0) part.reach[spoke] = std::min(part.reach[spoke], (farthest + beyond) / speed);
    }
  }
  return part;
}

HeadMesh::HeadMesh(const HeadPart& part) {
  const auto all = directions();
  vertices_.push_back(part.centre);
  for (std::size_t ring = 1; ring <= rings; ++ring) {
    const double share = static_cast<double>(ring) / static_cast<double>(rings);
    for (std::size_t spoke = 0; spoke < spokes; ++spoke) {
      const double radius = part.reach[spoke] * share;
      vertices_.push_back({part.centre.x + (radius * all[spoke].x), part.centre.y + (radius * all[spoke].y)});
    }
  }
  const auto vertex = [](std::size_t ring, std::size_t spoke) { return 1 + ((ring - 1) * spokes) + (spoke % spokes); };
  for (std::size_t spoke = 0; spoke < spokes; ++spoke) {
    triangles_.push_back({0, vertex(1, spoke), vertex(1, spoke + 1)});
    for (std::size_t ring = 1; ring < rings; ++ring) {
      triangles_.push_back({vertex(ring, spoke), vertex(ring + 1, spoke), vertex(ring + 1, spoke + 1)});
      triangles_.push_back({vertex(ring, spoke), vertex(ring + 1, spoke + 1), vertex(ring, spoke + 1)});
    }
  }
  first_of_rim_ = vertex(rings, 0);
}

std::vector<std::vector<Point>> HeadMesh::region_above(std::span<const double> values, double level) const {
  Outlines outlines(vertices_, values, level);
  for (const auto& triangle : triangles_) outlines.add_triangle(triangle);
  for (std::size_t spoke = 0; spoke < spokes; ++spoke) {
    outlines.add_rim(first_of_rim_ + spoke, first_of_rim_ + ((spoke + 1) % spokes));
  }
  return outlines.take();
}

std::vector<Point> simplified(const std::vector<Point>& outline, double tolerance) {
  if (outline.size() < 4) return outline;
  // Two halves, between the first point and the one farthest from it.
  const auto far = std::ranges::max_element(outline, {}, [&](const Point& point) {
    return std::hypot(point.x - outline.front().x, point.y - outline.front().y);
  });
  const auto half = static_cast<std::size_t>(far - outline.begin());
  std::vector<Point> closed = outline;
  closed.push_back(outline.front());
  std::vector<Point> kept;
  keep_far_points(std::span(closed).first(half + 1), tolerance, kept);
  keep_far_points(std::span(closed).subspan(half), tolerance, kept);
  return kept;
}

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

void HeadField::cover(const std::vector<Electrode>& electrodes) {
  std::vector<dsp::ElectrodePosition> sources;
  for (const Electrode& one : electrodes) sources.push_back(one.direction);
  if (sources == sources_) return;
  sources_ = std::move(sources);
  std::vector<Point> places;
  std::ranges::transform(sources_, std::back_inserter(places), on_plane);
  mesh_ = HeadMesh(covered_part(places, rim_));
  std::vector<dsp::ElectrodePosition> vertices;
  std::ranges::transform(mesh_.vertices(), std::back_inserter(vertices), on_sphere);
  weights_ = dsp::spherical_spline_weights(sources_, vertices, dsp::map_smoothing);
}

std::vector<double> HeadField::values(const std::vector<Electrode>& electrodes, double most) const {
  Eigen::VectorXd measured(std::ssize(electrodes));
  for (std::size_t k = 0; k < electrodes.size(); ++k) measured[static_cast<Index>(k)] = electrodes[k].value / most;
  const double least = measured.minCoeff();
  const double greatest = measured.maxCoeff();
  // At the margin the spline runs on; no colour shall say more than was measured.
  const Eigen::VectorXd field = (weights_ * measured).cwiseMax(least).cwiseMin(greatest);
  return {field.begin(), field.end()};
}

Polyline HeadField::region(const HeadPlace& head, std::span<const double> field, double level, Colour fill) const {
  constexpr double tolerance = 0.09;  // points
  Polyline path{.closed = true, .fill = fill};
  for (std::vector<Point>& outline : mesh_.region_above(field, level)) {
    for (Point& point : outline) point = head.place(point);
    outline = simplified(outline, tolerance);
    if (outline.size() > 2) path.pieces.push_back(std::move(outline));
  }
  return path;
}

Group HeadField::bands(const HeadPlace& head, const std::vector<Electrode>& electrodes, double most) {
  cover(electrodes);
  const std::vector<double> field = values(electrodes, most);
  const auto [least, greatest] = std::ranges::minmax(electrodes, {}, &Electrode::value);
  // All of it in the lowest colour, and every higher one on top of it.
  std::size_t band = 0;
  while (band + 1 < colour_bands && band_start(band + 1) <= least.value / most) ++band;
  Group group{"field", {region(head, field, -std::numeric_limits<double>::infinity(), band_colour(band))}};
  for (++band; band < colour_bands && band_start(band) <= greatest.value / most; ++band) {
    Polyline path = region(head, field, band_start(band), band_colour(band));
    if (!path.pieces.empty()) group.shapes.emplace_back(std::move(path));
  }
  group.shapes.emplace_back(rim_line(head));
  return group;
}

Group head_outline(const HeadPlace& head) {
  const Stroke stroke = outline_stroke(head);
  const double r = head.radius;
  const Point c = head.centre;
  Polyline nose{.pieces = {{}}, .closed = false, .fill = paper, .stroke = stroke};
  constexpr double half_nose = 0.16;  // radians
  for (const auto& [angle, reach] : {std::pair{-half_nose, 1.0}, {-0.025, 1.14}, {0.025, 1.14}, {half_nose, 1.0}}) {
    nose.pieces[0].push_back({c.x + (r * reach * std::sin(angle)), c.y - (r * reach * std::cos(angle))});
  }
  Group group{"head", {std::move(nose)}};
  for (const double side : {-1.0, 1.0}) {
    Polyline ear{.pieces = {{}}, .closed = false, .fill = paper, .stroke = stroke};
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
      group.shapes.emplace_back(Circle{.centre = at, .radius = radius, .fill = ink, .hint = one.hint});
    }
    return group;
  }
  Polyline dots{.closed = true, .fill = ink};
  const double side = 1.2 * radius;
  for (const Electrode& one : electrodes) {
    const Point at = head.place(on_plane(one.direction));
    const Polyline square = filled({at.x - (side / 2), at.y - (side / 2), side, side}, ink);
    dots.pieces.push_back(square.pieces.front());
  }
  group.shapes.emplace_back(std::move(dots));
  return group;
}

}  // namespace heed::report
