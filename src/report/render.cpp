// SPDX-License-Identifier: MIT
// SVG is written here and not by cairo, which turns letters into outlines: these files keep text that can be
// searched, edited and read aloud, and groups that say what they are. PDF and PNG are painted by cairo (painting.h).
#include <heed/data/error.h>
#include <heed/report/drawing.h>
#include <report/painting.h>
#include <report/palette.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace heed::report {
namespace {

// Coordinates are whole hundredths of a point (3.5 micrometres), so that relative moves do not drift.
using Hundredths = long long;

Hundredths hundredths(double value) { return std::llround(value * 100); }

std::string number(Hundredths value) {
  std::string text = std::to_string(std::abs(value / 100));
  const Hundredths rest = std::abs(value % 100);
  if (rest != 0) {
    if (text == "0") text.clear();
    text += '.';
    text += static_cast<char>('0' + (rest / 10));
    if (rest % 10 != 0) text += static_cast<char>('0' + (rest % 10));
  }
  return value < 0 ? "-" + text : text;
}

std::string number(double value) { return number(hundredths(value)); }

std::string attribute(std::string_view name, std::string_view value) {
  std::string result = " ";
  return result.append(name).append("=\"").append(value).append("\"");
}

std::string colour_attributes(const std::string& name, const std::optional<Colour>& colour) {
  if (!colour) return attribute(name, "none");
  std::array<char, 8> hex{};
  (void)std::snprintf(hex.data(), hex.size(), "#%02x%02x%02x", colour->red, colour->green, colour->blue);
  std::string result = attribute(name, hex.data());
  if (colour->opacity < 1) result += attribute(name + "-opacity", number(colour->opacity));
  return result;
}

std::string paint_attributes(const std::optional<Colour>& fill, const std::optional<Stroke>& stroke) {
  std::string result = colour_attributes("fill", fill);
  if (!stroke) return result;
  result += colour_attributes("stroke", stroke->colour) + attribute("stroke-width", number(stroke->width));
  if (stroke->dash > 0) result += attribute("stroke-dasharray", number(stroke->dash));
  return result;
}

// A hint makes the element one with a child.
std::string element(std::string_view name, const std::string& attributes, const std::string& hint) {
  std::string result = "<";
  result.append(name).append(attributes);
  if (hint.empty()) return result + "/>\n";
  return result.append("><title>").append(escaped(hint)).append("</title></").append(name).append(">\n");
}

// Horizontal and vertical steps are most of a figure: they have commands of one number.
void append_step(std::string& path, Hundredths dx, Hundredths dy) {
  if (dx == 0 && dy == 0) return;
  if (dy == 0) {
    path += "h" + number(dx);
  } else if (dx == 0) {
    path += "v" + number(dy);
  } else {
    path += "l" + number(dx) + (dy < 0 ? "" : " ") + number(dy);
  }
}

std::string path_data(const Polyline& shape) {
  std::string data;
  for (const auto& piece : shape.pieces) {
    Hundredths x = 0;
    Hundredths y = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Hundredths next_x = hundredths(piece[i].x);
      const Hundredths next_y = hundredths(piece[i].y);
      if (i == 0) {
        data += "M" + number(next_x) + " " + number(next_y);
      } else {
        append_step(data, next_x - x, next_y - y);
      }
      x = next_x;
      y = next_y;
    }
    if (shape.closed) data += "z";
  }
  return data;
}

std::string written(const Polyline& path) {
  return element("path", attribute("d", path_data(path)) + paint_attributes(path.fill, path.stroke), path.hint);
}

std::string written(const Circle& circle) {
  return element("circle",
                 attribute("cx", number(circle.centre.x)) + attribute("cy", number(circle.centre.y)) +
                     attribute("r", number(circle.radius)) + paint_attributes(circle.fill, circle.stroke),
                 circle.hint);
}

std::string written(const Text& text) {
  const std::string x = number(text.at.x);
  const std::string y = number(text.at.y);
  std::string result = "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", number(text.size));
  if (text.anchor != Anchor::start) {
    result += attribute("text-anchor", text.anchor == Anchor::middle ? "middle" : "end");
  }
  if (text.bold) result += attribute("font-weight", "bold");
  if (text.climbs) result += attribute("transform", "rotate(-90 " + x + " " + y + ")");
  return result + colour_attributes("fill", text.colour) + ">" + escaped(text.text) + "</text>\n";
}

constexpr std::array<std::pair<std::string_view, FigureFormat>, 3> endings{
    {{".svg", FigureFormat::svg}, {".pdf", FigureFormat::pdf}, {".png", FigureFormat::png}}};

// ASCII only, whatever the locale.
bool ends_alike(std::string_view name, std::string_view ending) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return name.size() > ending.size() && std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
}

}  // namespace

std::string svg_element(const Drawing& drawing) {
  const auto millimetres = [](double points) { return number(points / points_per_millimetre) + "mm"; };
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  svg += attribute("width", millimetres(drawing.width)) + attribute("height", millimetres(drawing.height)) +
         attribute("viewBox", "0 0 " + number(drawing.width) + " " + number(drawing.height)) +
         attribute("role", "img") + attribute("aria-label", escaped(drawing.title)) +
         attribute("font-family", "sans-serif") + ">\n";
  svg += "<title>" + escaped(drawing.title) + "</title>\n<desc>" + escaped(drawing.description) + "</desc>\n";
  svg += "<rect" + attribute("width", number(drawing.width)) + attribute("height", number(drawing.height)) +
         colour_attributes("fill", paper) + "/>\n";
  for (const Group& group : drawing.groups) {
    svg += "<g" + attribute("class", escaped(group.name)) + ">\n";
    for (const Shape& shape : group.shapes) svg += std::visit([](const auto& one) { return written(one); }, shape);
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

FigureFormat figure_format(std::string_view file_name) {
  for (const auto& [ending, format] : endings) {
    if (ends_alike(file_name, ending)) return format;
  }
  throw Error(ErrorKind::invalid_argument,
              "'" + std::string(file_name) +
                  "' does not name a kind of picture; use a file name that ends in .svg, .pdf or .png");
}

std::string render(const Drawing& drawing, FigureFormat format) {
  switch (format) {
    case FigureFormat::pdf:
      return pdf_bytes(drawing);
    case FigureFormat::png:
      return png_bytes(drawing);
    case FigureFormat::svg:
      break;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg_element(drawing);
}

}  // namespace heed::report
