// SPDX-License-Identifier: MIT
#include <cairo-pdf.h>
#include <cairo.h>
#include <heed/data/error.h>
#include <report/painting.h>
#include <report/palette.h>
#include <report/text.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string_view>

namespace heed::report {
namespace {

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

}  // namespace

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

}  // namespace heed::report
