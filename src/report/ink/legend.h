// SPDX-License-Identifier: MIT
// What the colours and signs mean, in lines as long as the room allows.
#pragma once

#include <heed/report/drawing.h>
#include <report/ink/shapes.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed::report {

struct LegendEntry {
  std::string text{};
  // Draws the sign, inside a box of this place.
  std::function<std::vector<Shape>(const Rectangle& box)> sign{};
  std::optional<double> sign_width{};  // of its box, where it is another; below each other all are as wide
};

inline constexpr double legend_line = 11;  // points from line to line

struct Legend {
  Group group{"legend", {}};
  double height = 0;
};

struct LegendPlace {
  Point top_left{};
  double room = 0;        // width of a line
  double sign_width = 8;  // of the boxes that signs are drawn in
  bool one_a_line = false;
};

// Entries from left to right, wrapped; names too long for a line are cut.
[[nodiscard]] Legend lay_out_legend(const std::vector<LegendEntry>& entries, const LegendPlace& place);

}  // namespace heed::report
