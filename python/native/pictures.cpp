// SPDX-License-Identifier: MIT
// What heed.plot draws but does not compute: when switches were noticed, where electrodes are, and the
// field between them.
#include <dsp/interpolate.h>
#include <dsp/montage.h>
#include <heed/evaluate/switch_metric.h>
#include <pybind11/stl.h>

#include <limits>
#include <string>
#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/picture_texts.h"
#include "native/errors.h"

namespace heed::python {
namespace {

// (at, attended, detected or None, delay in seconds), a true switch each.
py::list find_switches(const py::object& decisions, const py::object& attended, double window) {
  constexpr Index any_speaker = std::numeric_limits<Speaker>::max();
  const Path path{.states = attention_of(decisions, "decisions", any_speaker).attended, .window = Seconds{window}};
  py::list switches;
  for (const auto& one : evaluate::measure_trial(path, attention_of(attended, "truth", any_speaker)).switches) {
    switches.append(py::make_tuple(one.at, one.attended, one.detected, one.signed_time.value));
  }
  return switches;
}

py::array_t<double> electrode_positions(const std::vector<std::string>& channels) {
  const auto found = dsp::electrode_positions(channels);
  Matrix places = Matrix::Constant(std::ssize(found), 3, std::numeric_limits<double>::quiet_NaN());
  for (Index c = 0; c < places.rows(); ++c) {
    const auto& place = found[static_cast<std::size_t>(c)];
    if (place) places.row(c) << place->x, place->y, place->z;
  }
  return to_numpy(std::move(places));
}

std::vector<dsp::ElectrodePosition> positions_of(const py::object& value, const char* argument) {
  const Rows rows = rows_of(value, argument);
  if (rows.view.columns != 3) refuse(argument, "must have three columns: x (right), y (front), z (up)");
  std::vector<dsp::ElectrodePosition> positions;
  for (Index k = 0; k < rows.view.rows; ++k) {
    positions.push_back({rows.view(k, 0), rows.view(k, 1), rows.view(k, 2)});
  }
  return positions;
}

py::array_t<double> scalp_weights(const py::object& electrodes, const py::object& places) {
  return to_numpy(dsp::spherical_spline_weights(positions_of(electrodes, "electrodes"), positions_of(places, "places"),
                                                dsp::map_smoothing));
}

}  // namespace

void bind_pictures(py::module_& module) {
  module.def("find_switches", find_switches, py::arg("decisions"), py::arg("truth"), py::arg("window") = 1.0,
             texts::find_switches);
  module.def("electrode_positions", electrode_positions, py::arg("channels"), texts::electrode_positions);
  module.def("scalp_weights", scalp_weights, py::arg("electrodes"), py::arg("places"), texts::scalp_weights);
}

}  // namespace heed::python
