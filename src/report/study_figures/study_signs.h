// SPDX-License-Identifier: MIT
// The signs that figures of studies share, and what their legends say of them.
#pragma once

#include <heed/report/drawing.h>
#include <report/ink/legend.h>
#include <report/ink/shapes.h>

#include <string>
#include <vector>

namespace heed::report {

inline constexpr double participant_opacity = 0.4;
inline constexpr double published_size = 9.5;

// An open star: what it lies on is seen through it.
[[nodiscard]] Shape published_star(Point at, double size, Colour colour);
[[nodiscard]] Shape participant_dot(Point at, double diameter, Colour colour);

// A sign in the middle of a box so wide.
[[nodiscard]] LegendEntry sign_entry(const std::string& text, double width, std::vector<Shape> around_origin);

// The drawing grows by the legend.
void append_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, const LegendPlace& place);

// " Simulated data." as the last sentence of what the picture shows.
[[nodiscard]] std::string stamp_sentence(const std::string& stamp);

}  // namespace heed::report
