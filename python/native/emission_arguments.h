// SPDX-License-Identifier: MIT
// How a Python call says what scores mean, and how that is learnt: keywords with the names of the program's options.
#pragma once

#include <heed/pipeline/emission_choice.h>
#include <pybind11/pybind11.h>

namespace heed::python {

namespace py = pybind11;

// emission (a word of the program, an emission or a Model), fit, spread, class_priors, accuracy, components,
// covariance, mixture_seed, fit_switch_probability, calibrate. What is absent or None is left to the engine. Throws
// TypeError and invalid_argument naming the keyword; also for one that the emission would not look at.
[[nodiscard]] pipeline::EmissionChoice emission_choice(const py::dict& keywords);

}  // namespace heed::python
