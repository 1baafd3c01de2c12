// SPDX-License-Identifier: MIT
// Drawings as PDF and PNG, painted by cairo. A heed that was built without it (HEED_WITH_CAIRO) has them throw
// unsupported.
#pragma once

#include <heed/report/drawing.h>

#include <string>

namespace heed::report {

[[nodiscard]] std::string pdf_bytes(const Drawing& drawing);
[[nodiscard]] std::string png_bytes(const Drawing& drawing);

}  // namespace heed::report
