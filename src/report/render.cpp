// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/report/render.h>
#include <report/ink/cairo_output.h>
#include <report/ink/svg.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heed::report {
namespace {

constexpr std::array<std::pair<std::string_view, FigureFormat>, 3> endings{
    {{".svg", FigureFormat::svg}, {".pdf", FigureFormat::pdf}, {".png", FigureFormat::png}}};

// ASCII only, whatever the locale.
bool ends_alike(std::string_view name, std::string_view ending) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return name.size() > ending.size() && std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
}

}  // namespace

FigureFormat figure_format(std::string_view file_name) {
  for (const auto& [ending, format] : endings) {
    if (ends_alike(file_name, ending)) return format;
  }
  throw Error(ErrorKind::invalid_argument,
              "'" + std::string(file_name) + "' names no kind of picture; let it end in .svg, .pdf or .png");
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
  return svg_text(drawing);
}

}  // namespace heed::report
