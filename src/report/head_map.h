// SPDX-License-Identifier: MIT
// One head, seen from above with the nose up: electrodes on the plane, the field between them as bands of colour, the
// outline with nose and ears. The projection is azimuthal equidistant, so that distances from the vertex are true; the
// equator of the head lies at radius 1, electrodes below it beyond.
#pragma once

#include <dsp/montage.h>
#include <heed/data/matrix.h>
#include <heed/report/drawing.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::report {

// Of length one; nothing for what has no direction: not a number, or of length zero.
[[nodiscard]] std::optional<dsp::ElectrodePosition> unit_direction(
    const std::optional<dsp::ElectrodePosition>& position);

// x to the right, y to the front. From a direction of length one, and back.
[[nodiscard]] Point on_plane(const dsp::ElectrodePosition& direction);
[[nodiscard]] dsp::ElectrodePosition on_sphere(Point place);

// An odd number, so that the middle one, around zero, is nearly white.
inline constexpr std::size_t colour_bands = 17;

// Band 0 is the deepest blue, the last one the deepest red.
[[nodiscard]] Colour band_colour(std::size_t band);
// Where band k begins, 0 < k < colour_bands, on a scale from -1 to 1.
[[nodiscard]] double band_start(std::size_t band);

// Left is blue, right is orange, the middle grey; the front is lighter than the back.
[[nodiscard]] Colour place_colour(const dsp::ElectrodePosition& direction);

inline constexpr std::size_t head_spokes = 84;

// A part of the flat head that is convex: how far it reaches from a point inside, in directions that are spread evenly,
// counter-clockwise from the right.
struct HeadPart {
  Point centre{};
  std::array<double, head_spokes> reach{};
};

// Out to this radius, in units of the equator's.
[[nodiscard]] HeadPart whole_head(double rim);

// What the electrodes speak for: the convex hull around them and a little beyond, within the rim. Needs an electrode.
[[nodiscard]] HeadPart covered_part(std::span<const Point> electrodes, double rim);

// A part of the flat head as triangles, and the part of that where a field lies above a level: outlines that close
// exactly, along the rim too, so that bands of colour can be painted one on the other without seams.
class HeadMesh {
 public:
  explicit HeadMesh(const HeadPart& part);

  [[nodiscard]] const std::vector<Point>& vertices() const { return vertices_; }

  // One value per vertex, linear in between. Outer outlines run counter-clockwise (y upwards), holes clockwise.
  [[nodiscard]] std::vector<std::vector<Point>> region_above(std::span<const double> values, double level) const;

 private:
  std::vector<Point> vertices_;
  std::vector<std::array<std::size_t, 3>> triangles_;  // counter-clockwise
  std::size_t first_of_rim_ = 0;
};

// Points that lie within the tolerance of the line through the others are left out. For closed outlines.
[[nodiscard]] std::vector<Point> simplified(const std::vector<Point>& outline, double tolerance);

struct Electrode {
  std::string channel{};
  dsp::ElectrodePosition direction{};
  double value = 0;
  std::string hint{};  // under the mouse
};

struct HeadPlace {
  Point centre{};
  double radius = 1;  // of the outline
  double rim = 1;     // the radius on the plane that lies on the outline

  [[nodiscard]] Point place(Point on_plane) const {
    return {centre.x + (on_plane.x / rim * radius), centre.y - (on_plane.y / rim * radius)};
  }
};

// So large that every electrode lies inside: 1 unless some lie below the equator.
[[nodiscard]] double rim_around(const std::vector<Electrode>& electrodes);

// Group "head": outline, nose and ears, on white; the field is painted on it.
[[nodiscard]] Group head_outline(const HeadPlace& head);

// The spherical spline through values at electrodes, as far as they cover the head. Its weights are made once for all
// maps of the same electrodes.
class HeadField {
 public:
  explicit HeadField(double rim) : rim_(rim), mesh_(whole_head(rim)) {}

  // Group "field": bands of colour from -most to most. Needs an electrode.
  [[nodiscard]] Group bands(const HeadPlace& head, const std::vector<Electrode>& electrodes, double most);

 private:
  void cover(const std::vector<Electrode>& electrodes);
  [[nodiscard]] std::vector<double> values(const std::vector<Electrode>& electrodes, double most) const;
  [[nodiscard]] Polyline region(const HeadPlace& head, std::span<const double> field, double level, Colour fill) const;

  double rim_;
  HeadMesh mesh_;
  std::vector<dsp::ElectrodePosition> sources_;
  Matrix weights_;  // vertices x sources
};

// Group "electrodes": dots with hints; many electrodes become one path without, for the size of the file.
[[nodiscard]] Group electrode_dots(const HeadPlace& head, const std::vector<Electrode>& electrodes);

}  // namespace heed::report
