// SPDX-License-Identifier: MIT
// The strokes figures are made of; their colours are those of palette.txt.
#pragma once

#include <heed/report/drawing.h>
#include <report/palette.h>

#include <cstddef>
#include <string>
#include <vector>

namespace heed::report {

// Of a speaker or method, by its number; beyond the last one they repeat, paler.
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

[[nodiscard]] Polyline filled(const Rectangle& area, Colour fill);
[[nodiscard]] Polyline framed(const Rectangle& area, const Stroke& stroke);
[[nodiscard]] Polyline line(Point from, Point to, const Stroke& stroke);
// Diagonal lines clipped to the area.
[[nodiscard]] Polyline hatched(const Rectangle& area, const Stroke& stroke);

// In ink unless another colour is given.
[[nodiscard]] Text words_at(Point at, std::string text, double size, Anchor anchor = Anchor::start,
                            Colour colour = ink);
// Read from bottom to top, its middle here.
[[nodiscard]] Text climbing(Point middle, std::string text, double size);

enum class MarkShape { circle, square, triangle_down, triangle_up, diamond, cross, star };

// Methods differ in shape as well as in colour; from the sixth on the shapes repeat.
[[nodiscard]] MarkShape mark_shape(std::size_t index);
// `size` is its width; a cross is stroked, the others are filled with the colour, or stroked where hollow.
[[nodiscard]] Shape filled_mark(MarkShape kind, Point centre, double size, Colour colour);
[[nodiscard]] Shape hollow_mark(MarkShape kind, Point centre, double size, Colour colour);
// With an edge, so that it stands out of what it lies on.
[[nodiscard]] Shape edged(Shape shape, const Stroke& edge);

// With words shown under the mouse; a text, which can be read anyway, is left as it is.
[[nodiscard]] Shape hinted(Shape shape, const std::string& hint);

// A shape made around the origin, somewhere else.
[[nodiscard]] Shape moved(Shape shape, Point by);

}  // namespace heed::report
