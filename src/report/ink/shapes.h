// SPDX-License-Identifier: MIT
// The strokes figures are made of, and the colours they share.
#pragma once

#include <heed/report/drawing.h>

#include <cstddef>
#include <string>
#include <vector>

namespace heed::report {

inline constexpr Colour ink{34, 34, 34};
inline constexpr Colour faint_ink{110, 110, 110};
inline constexpr Colour grid_ink{205, 205, 205};
inline constexpr Colour paper{255, 255, 255};

// Colours that colour-blind readers tell apart (Okabe and Ito 2008), speakers and methods alike; from the
// ninth on they come again, paler.
[[nodiscard]] Colour palette(std::size_t index);
[[nodiscard]] Colour with_opacity(Colour colour, double opacity);
// Black or white, whichever is read more easily on it.
[[nodiscard]] Colour readable_on(Colour background);

struct Rectangle {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] double middle() const { return top + (height / 2); }
};

[[nodiscard]] Path filled(const Rectangle& area, Colour fill);
[[nodiscard]] Path framed(const Rectangle& area, const Stroke& stroke);
[[nodiscard]] Path line(Point from, Point to, const Stroke& stroke);
// Diagonal lines clipped to the area.
[[nodiscard]] Path hatched(const Rectangle& area, const Stroke& stroke);

enum class Marker { circle, square, triangle_down, triangle_up, diamond, cross, star };

// Methods are told apart by shape as well as by colour; from the sixth on they come again.
[[nodiscard]] Marker marker_of(std::size_t index);
// So large all across; a cross is stroked, the others filled with the colour, or stroked where hollow.
[[nodiscard]] Shape marker(Marker kind, Point centre, double size, Colour colour);
[[nodiscard]] Shape hollow(Marker kind, Point centre, double size, Colour colour);
// With an edge, so that it stands out of what it lies on.
[[nodiscard]] Shape edged(Shape shape, const Stroke& edge);

// Says this under the mouse; a text, which can be read anyway, is left as it is.
[[nodiscard]] Shape hinted(Shape shape, const std::string& hint);

// A shape made around the origin, somewhere else.
[[nodiscard]] Shape moved(Shape shape, Point by);

}  // namespace heed::report
