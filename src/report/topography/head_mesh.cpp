// SPDX-License-Identifier: MIT
#include <report/topography/head_mesh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace heed::report {
namespace {

constexpr std::size_t rings = 26;
constexpr std::size_t spokes = 84;

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

}  // namespace

HeadMesh::HeadMesh(double rim) {
  vertices_.push_back({0, 0});
  for (std::size_t ring = 1; ring <= rings; ++ring) {
    const double radius = rim * static_cast<double>(ring) / static_cast<double>(rings);
    for (std::size_t spoke = 0; spoke < spokes; ++spoke) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(spoke) / static_cast<double>(spokes);
      vertices_.push_back({radius * std::cos(angle), radius * std::sin(angle)});
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

}  // namespace heed::report
