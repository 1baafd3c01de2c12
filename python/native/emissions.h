// SPDX-License-Identifier: MIT
// Emissions and models as Python values, and how a call takes one.
#pragma once

#include <heed/data/model.h>
#include <pybind11/pybind11.h>

#include <optional>

namespace heed::python {

namespace py = pybind11;

// An emission, or a model that holds one; nothing for None. Throws TypeError for anything else.
[[nodiscard]] std::optional<Model> model_of(py::handle emission);

// The emission as the Python class of its family.
[[nodiscard]] py::object emission_object(const Emission& emission);

}  // namespace heed::python
