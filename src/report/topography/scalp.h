// SPDX-License-Identifier: MIT
// Electrodes on a flat head, seen from above with the nose up: azimuthal equidistant, so that distances from the
// vertex are true. The equator of the head lies at radius 1; electrodes below it lie beyond.
#pragma once

#include <heed/report/drawing.h>
#include <report/topography_figure.h>

#include <optional>

namespace heed::report {

// Of length one; nothing for what is no direction: not a number, or of length zero.
[[nodiscard]] std::optional<ScalpPosition> unit_direction(const std::optional<ScalpPosition>& position);

// x to the right, y to the front. From a direction of length one, and back.
[[nodiscard]] Point on_plane(const ScalpPosition& direction);
[[nodiscard]] ScalpPosition on_sphere(Point place);

}  // namespace heed::report
