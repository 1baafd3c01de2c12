// SPDX-License-Identifier: MIT
// Drawing -> SVG text: small, readable by machines, text as text.
#pragma once

#include <heed/report/drawing.h>

#include <string>

namespace heed::report {

// The element alone, to stand inside a web page.
[[nodiscard]] std::string svg_element(const Drawing& drawing);
// The whole file.
[[nodiscard]] std::string svg_text(const Drawing& drawing);

}  // namespace heed::report
