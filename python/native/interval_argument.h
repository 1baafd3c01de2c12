// SPDX-License-Identifier: MIT
// How a call says how long attention stays: seconds, a pair (shortest, longest), or as typed to the program.
#pragma once

#include <pipeline/switch_interval.h>
#include <pybind11/pybind11.h>

#include <string>

namespace heed::python {

[[nodiscard]] inline std::string interval_text(const pybind11::object& value) {
  namespace py = pybind11;
  if (!py::isinstance<py::tuple>(value) && !py::isinstance<py::list>(value)) {
    return py::str(value).cast<std::string>();
  }
  const auto pair = value.cast<py::sequence>();
  std::string text;
  for (const py::handle seconds : pair) text += (text.empty() ? "" : "-") + py::str(seconds).cast<std::string>();
  return text;
}

// Throws InvalidArgument naming switch_every.
[[nodiscard]] inline SwitchInterval interval_of(const pybind11::object& value) {
  return pipeline::parse_interval("switch_every", interval_text(value));
}

}  // namespace heed::python
