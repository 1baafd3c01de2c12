// SPDX-License-Identifier: MIT
// How a Python call says what scores mean, and how that is learnt: keywords with the names of the program's options.
#pragma once

#include <heed/pipeline/emission_choice.h>

#include "native/keywords.h"

namespace heed::python {

// emission (a word of the program, an emission or a Model), fit, spread, class_priors, accuracy, components,
// covariance, mixture_seed, fit_switch_probability, calibrate. What is absent or None is left to the engine. Throws
// TypeError and invalid_argument naming the keyword; also for one that the emission would not look at.
[[nodiscard]] pipeline::EmissionChoice emission_choice(const Keywords& keywords);

}  // namespace heed::python
