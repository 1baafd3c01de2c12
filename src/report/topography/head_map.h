// SPDX-License-Identifier: MIT
// One head: the field as bands of colour, the outline with nose and ears, the electrodes.
#pragma once

#include <heed/report/drawing.h>
#include <report/topography/head_mesh.h>
#include <report/topography/scalp.h>

#include <string>
#include <vector>

namespace heed::report {

struct Electrode {
  std::string channel{};
  ScalpPosition direction{};
  double value = 0;
  std::string hint{};  // under the mouse
};

struct HeadPlace {
  Point centre{};
  double radius = 1;  // of the outline
  double rim = 1;     // what lies on the outline: equators of the head

  [[nodiscard]] Point place(Point on_plane) const {
    return {centre.x + (on_plane.x / rim * radius), centre.y - (on_plane.y / rim * radius)};
  }
};

// So large that every electrode lies inside: 1 unless some lie below the equator.
[[nodiscard]] double rim_around(const std::vector<Electrode>& electrodes);

// Group "head": outline, nose and ears, on white; the field is painted on it.
[[nodiscard]] Group head_outline(const HeadPlace& head);
// Group "field": bands of colour from -most to most, clipped to the outline. Needs an electrode.
[[nodiscard]] Group field_bands(const HeadMesh& mesh, const HeadPlace& head, const std::vector<Electrode>& electrodes,
                                double most);
// Group "electrodes": dots with hints; many electrodes become one path without, for the size of the file.
[[nodiscard]] Group electrode_dots(const HeadPlace& head, const std::vector<Electrode>& electrodes);

}  // namespace heed::report
