// SPDX-License-Identifier: MIT
// JSON of the engine as Python's own objects: both doors hand out the same numbers, since it is the same text.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace heed::python {

[[nodiscard]] inline pybind11::object from_json(const std::string& text) {
  return pybind11::module_::import("json").attr("loads")(text);
}

}  // namespace heed::python
