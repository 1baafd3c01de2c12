// SPDX-License-Identifier: MIT
// The flat head as triangles, and the part of it where a field lies above a level: outlines that close exactly,
// along the rim too, so that bands of colour can be painted one on the other without seams.
#pragma once

#include <heed/report/drawing.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace heed::report {

class HeadMesh {
 public:
  // Out to this radius, in equators of the head.
  explicit HeadMesh(double rim);

  [[nodiscard]] const std::vector<Point>& vertices() const { return vertices_; }

  // One value a vertex, linear in between. Outer outlines run counter-clockwise (y upwards), holes clockwise.
  [[nodiscard]] std::vector<std::vector<Point>> region_above(std::span<const double> values, double level) const;

 private:
  std::vector<Point> vertices_;
  std::vector<std::array<std::size_t, 3>> triangles_;  // counter-clockwise
  std::size_t first_of_rim_ = 0;
};

// Points that lie within the tolerance of the line through the others are left out. For closed outlines.
[[nodiscard]] std::vector<Point> simplified(const std::vector<Point>& outline, double tolerance);

}  // namespace heed::report
