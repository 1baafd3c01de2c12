// SPDX-License-Identifier: MIT
// A figure before it is a file: shapes in named groups, painted in order. One drawing becomes SVG, PDF
// or PNG (render.h). Lengths are points, 1/72 inch, from the top left corner, y downwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

struct Path {
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

using Shape = std::variant<Path, Circle, Text>;

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

}  // namespace heed::report
