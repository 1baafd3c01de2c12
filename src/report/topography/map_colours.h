// SPDX-License-Identifier: MIT
// Colours of head maps: a diverging scale around zero, and one for places on the head. Both can be told apart by
// readers with any of the common kinds of colour blindness.
#pragma once

#include <heed/report/drawing.h>
#include <report/topography/scalp.h>

#include <cstddef>

namespace heed::report {

// An odd number, so that the middle one is white: zero is no colour.
inline constexpr std::size_t colour_bands = 17;

// Band 0 is the deepest blue, the last one the deepest red.
[[nodiscard]] Colour band_colour(std::size_t band);
// Where band k begins, 0 < k < colour_bands, on a scale from -1 to 1.
[[nodiscard]] double band_start(std::size_t band);

// Left is blue, right is orange, the middle grey; the front is lighter than the back.
[[nodiscard]] Colour place_colour(const ScalpPosition& direction);

}  // namespace heed::report
