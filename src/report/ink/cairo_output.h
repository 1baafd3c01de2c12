// SPDX-License-Identifier: MIT
// Drawing -> PDF and PNG by cairo.
#pragma once

#include <heed/report/drawing.h>

#include <string>

namespace heed::report {

[[nodiscard]] std::string pdf_bytes(const Drawing& drawing);
[[nodiscard]] std::string png_bytes(const Drawing& drawing);

}  // namespace heed::report
