// SPDX-License-Identifier: MIT
// A figure before it is a file: shapes in named groups, painted in order. One drawing becomes SVG, PDF or PNG, and the
// same drawing always gives the same bytes: no file holds a date. Lengths are points, 1/72 inch, from the top left
// corner, y downwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::report {

inline constexpr double points_per_millimetre = 72 / 25.4;

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  double opacity = 1;
  friend bool operator==(const Colour&, const Colour&) = default;
};

struct Stroke {
  Colour colour{};
  double width = 0.6;
  double dash = 0;  // length of dashes and gaps; 0: one whole line
};

// Lines from point to point, closed and filled or open.
struct Polyline {
  std::vector<std::vector<Point>> pieces{};
  bool closed = true;
  std::optional<Colour> fill{};
  std::optional<Stroke> stroke{};
  std::string hint{};  // SVG: shown under the mouse, read by screen readers
};

struct Circle {
  Point centre{};
  double radius = 1;
  std::optional<Colour> fill{};
  std::optional<Stroke> stroke{};
  std::string hint{};
};

enum class Anchor { start, middle, end };

// `at` is on the baseline. A text that climbs is read from bottom to top.
struct Text {
  Point at{};
  std::string text{};
  double size = 7;
  Anchor anchor = Anchor::start;
  Colour colour{};
  bool bold = false;
  bool climbs = false;
};

using Shape = std::variant<Polyline, Circle, Text>;

struct Group {
  std::string name{};  // the class of the SVG group: what the shapes mean, e.g. "posterior"
  std::vector<Shape> shapes{};
};

struct Drawing {
  double width = 0;
  double height = 0;
  std::string title{};        // for those who cannot see it, and the PDF's document title
  std::string description{};  // what the picture shows, in sentences
  std::vector<Group> groups{};
};

enum class FigureFormat { svg, pdf, png };

inline constexpr double png_dots_per_inch = 300;

// By the ending of the file's name, in any case. Throws invalid_argument for any but .svg, .pdf and .png.
[[nodiscard]] FigureFormat figure_format(std::string_view file_name);

// The bytes of a file. SVG keeps text as text; PDF and PNG are set in the machine's sans-serif font. Throws unsupported
// if cairo cannot draw it, for example a PNG beyond 32767 pixels.
[[nodiscard]] std::string render(const Drawing& drawing, FigureFormat format);

// The SVG element alone, to stand inside a web page.
[[nodiscard]] std::string svg_element(const Drawing& drawing);

}  // namespace heed::report
