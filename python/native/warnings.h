// SPDX-License-Identifier: MIT
// What the engine wants people to know arrives as Python's own warnings, with the line of the caller.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace heed::python {

// Needs the GIL. Throws where the caller made warnings errors.
inline void warn(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (PyErr_WarnEx(PyExc_UserWarning, note.c_str(), 1) != 0) throw pybind11::error_already_set();
  }
}

}  // namespace heed::python
