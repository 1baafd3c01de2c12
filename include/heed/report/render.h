// SPDX-License-Identifier: MIT
// Drawing -> the bytes of a file. The same drawing gives the same bytes: nothing tells the date. SVG
// keeps text as text; PDF and PNG are set in the machine's sans-serif font.
#pragma once

#include <heed/report/drawing.h>

#include <string>
#include <string_view>

namespace heed::report {

enum class FigureFormat { svg, pdf, png };

inline constexpr double png_dots_per_inch = 300;

// By the ending, in capitals or not. Throws invalid_argument that names the three for any other.
[[nodiscard]] FigureFormat figure_format(std::string_view file_name);

// Throws unsupported if cairo cannot draw it, e.g. a PNG beyond 32767 pixels.
[[nodiscard]] std::string render(const Drawing& drawing, FigureFormat format);

}  // namespace heed::report
