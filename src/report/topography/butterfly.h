// SPDX-License-Identifier: MIT
// Every channel over all lags, coloured by its place on the head, and the global field power.
#pragma once

#include <heed/report/drawing.h>
#include <report/topography/shown_pattern.h>

namespace heed::report {

// Below what is drawn; the drawing grows by it.
void append_butterfly(Drawing& drawing, const ShownPattern& pattern);

}  // namespace heed::report
