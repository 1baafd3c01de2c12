// SPDX-License-Identifier: MIT
// Errors of the engine as Python exceptions with the same text: each kind is a class of heed/_errors.py, which is also
// the exception Python itself would raise (ValueError, FileNotFoundError ...).
#pragma once

#include <heed/data/error.h>
#include <pybind11/pybind11.h>

#include "native/made_values.h"

#include <string>

namespace heed::python {

namespace py = pybind11;

// From here on every heed::Error that leaves the module becomes its Python class.
void translate_errors();

// "scores: 3 columns ...": a mistake of the caller, told by the argument's name.
[[noreturn]] void refuse(const std::string& argument, const std::string& problem);

}  // namespace heed::python
