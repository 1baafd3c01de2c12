// SPDX-License-Identifier: MIT
// What every figure begins with: its paper, title and subtitle.
#pragma once

#include <heed/report/drawing.h>

#include <string>

namespace heed::report {

// The height is that of the titles: what follows begins there. Throws invalid_argument if the width, in
// millimetres, leaves no room for a figure.
[[nodiscard]] Drawing titled_drawing(double width, const std::string& title, const std::string& subtitle);

}  // namespace heed::report
