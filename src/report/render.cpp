// SPDX-License-Identifier: MIT
// SVG is written here and not by cairo, which turns letters into outlines: these files keep text that can be
// searched, edited and read aloud, and groups that say what they are. PDF and PNG are painted by cairo.
#include <cairo-pdf.h>
#include <cairo.h>
#include <heed/data/error.h>
#include <heed/report/drawing.h>
#include <report/palette.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
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

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw Error(ErrorKind::unsupported, std::string("the figure cannot be drawn: ") + cairo_status_to_string(status));
}

// An exception must not cross cairo.
cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) noexcept {
  try {
    static_cast<std::string*>(bytes)->append(data, data + length);
    return CAIRO_STATUS_SUCCESS;
  } catch (...) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

class Painter {
 public:
  explicit Painter(cairo_t* context) : context_(context) { cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND); }

  void operator()(const Polyline& path) const {
    for (const auto& piece : path.pieces) {
      cairo_new_sub_path(context_);
      for (const Point& point : piece) cairo_line_to(context_, point.x, point.y);
      if (path.closed) cairo_close_path(context_);
    }
    paint(path.fill, path.stroke);
  }

  void operator()(const Circle& circle) const {
    cairo_new_sub_path(context_);
    cairo_arc(context_, circle.centre.x, circle.centre.y, circle.radius, 0, 2 * std::numbers::pi);
    paint(circle.fill, circle.stroke);
  }

  void operator()(const Text& text) const {
    const std::string letters = printable(text.text);
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, text.size);
    cairo_text_extents_t extents;
    cairo_text_extents(context_, letters.c_str(), &extents);
    const double share = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? 0.5 : 1;
    cairo_save(context_);
    cairo_translate(context_, text.at.x, text.at.y);
    if (text.climbs) cairo_rotate(context_, -std::numbers::pi / 2);
    cairo_move_to(context_, -share * extents.x_advance, 0);
    use(text.colour);
    cairo_show_text(context_, letters.c_str());
    cairo_restore(context_);
    cairo_new_path(context_);  // show_text leaves a current point behind
  }

 private:
  void use(const Colour& colour) const {
    cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, colour.opacity);
  }

  void paint(const std::optional<Colour>& fill, const std::optional<Stroke>& stroke) const {
    if (fill) {
      use(*fill);
      cairo_fill_preserve(context_);
    }
    if (stroke) {
      use(stroke->colour);
      cairo_set_line_width(context_, stroke->width);
      cairo_set_dash(context_, &stroke->dash, stroke->dash > 0 ? 1 : 0, 0);
      cairo_stroke_preserve(context_);
    }
    cairo_new_path(context_);
  }

  cairo_t* context_;
};

void paint(const Drawing& drawing, cairo_surface_t* surface, double scale) {
  const Context context(cairo_create(surface));
  cairo_scale(context.get(), scale, scale);
  cairo_set_source_rgb(context.get(), paper.red / 255.0, paper.green / 255.0, paper.blue / 255.0);
  cairo_paint(context.get());
  const Painter painter(context.get());
  for (const Group& group : drawing.groups) {
    for (const Shape& shape : group.shapes) std::visit(painter, shape);
  }
  check(cairo_status(context.get()));
}

// 300 dots an inch as PNG says it: 11811 a metre both ways. Without it programs place the picture at
// their screen's resolution, four times too large.
constexpr std::string_view resolution_chunk{"\0\0\0\x09pHYs\0\0\x2e\x23\0\0\x2e\x23\x01\x78\xa5\x3f\x76", 21};
constexpr std::size_t after_header = 33;  // signature and IHDR

constexpr std::array<std::pair<std::string_view, FigureFormat>, 3> endings{
    {{".svg", FigureFormat::svg}, {".pdf", FigureFormat::pdf}, {".png", FigureFormat::png}}};

// ASCII only, whatever the locale.
bool ends_alike(std::string_view name, std::string_view ending) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return name.size() > ending.size() && std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
}

std::string pdf_bytes(const Drawing& drawing) {
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, drawing.width, drawing.height));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, printable(drawing.title).c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, printable(drawing.description).c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  paint(drawing, surface.get(), 1);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

std::string png_bytes(const Drawing& drawing) {
  constexpr double scale = png_dots_per_inch / 72;
  const auto pixels = [](double points) { return static_cast<int>(std::ceil(points * scale)); };
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(drawing.width), pixels(drawing.height)));
  check(cairo_surface_status(surface.get()));
  paint(drawing, surface.get(), scale);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes.insert(after_header, resolution_chunk);
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
