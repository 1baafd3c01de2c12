// SPDX-License-Identifier: MIT
// What the colours and signs mean, in lines as long as the room allows.
#pragma once

#include <heed/report/drawing.h>
#include <report/ink/shapes.h>

#include <functional>
#include <string>
#include <vector>

namespace heed::report {

struct LegendEntry {
  std::string text{};
  // Draws the sign, inside a box of this place.
  std::function<std::vector<Shape>(const Rectangle& box)> sign{};
};

inline constexpr double legend_line = 11;  // points from line to line

struct Legend {
  Group group{"legend", {}};
  double height = 0;
};

// Entries from left to right, wrapped; names too long for a line are cut.
[[nodiscard]] Legend lay_out_legend(const std::vector<LegendEntry>& entries, Point top_left, double room);

}  // namespace heed::report
