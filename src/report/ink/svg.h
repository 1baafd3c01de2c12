// SPDX-License-Identifier: MIT
// Drawing -> SVG text: small, readable by machines, text as text.
#pragma once

#include <heed/report/drawing.h>

#include <string>

namespace heed::report {

[[nodiscard]] std::string svg_text(const Drawing& drawing);

}  // namespace heed::report
