// SPDX-License-Identifier: MIT
// What every figure begins and ends with: its paper, title and subtitle, and the caption.
#pragma once

#include <heed/report/drawing.h>

#include <string>

namespace heed::report {

// The height is that of the titles: what follows begins there. A stamp, such as "simulated data", stands in a box of
// its own at the top right (group "stamp"). Throws invalid_argument if the width, in millimetres, leaves no room for a
// figure.
[[nodiscard]] Drawing titled_drawing(double width, const std::string& title, const std::string& subtitle,
                                     const std::string& stamp = {});

struct CaptionPlace {
  double left = 0;
  double room = 0;
};

// At most five lines of small print below what is drawn; the drawing grows by them.
void append_caption(Drawing& drawing, const std::string& text, const CaptionPlace& place);

}  // namespace heed::report
