// SPDX-License-Identifier: MIT
// How a Python call says what scores mean, which Markov chain to use and how long attention stays: keywords with the
// names of the program's options.
#pragma once

#include <heed/pipeline/model_choice.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "native/keywords.h"

namespace heed::python {

namespace py = pybind11;

// emission (a word of the program, an emission or a Model), fit, spread, class_priors, accuracy, components,
// covariance, mixture_seed, fit_switch_probability, calibrate. What is absent or None is left to the engine. Throws
// TypeError and invalid_argument naming the keyword; also for one that the emission would not look at.
[[nodiscard]] pipeline::EmissionChoice emission_choice(const Keywords& keywords);

// The model, where the emission is one: it knows more than the emission.
[[nodiscard]] std::optional<Model> whole_model(const Keywords& keywords);

// Whether the switch probability is "auto". Throws invalid_argument for any other word.
[[nodiscard]] bool is_unknown(const py::object& switch_probability);

struct ChainArguments {
  py::object switch_probability = py::none();  // per window and target, or "auto"; None: .001 per second of the window
  py::object transition = py::none();          // states x states, row = from; instead of the sticky chain
  py::object initial = py::none();             // of the first window; None: uniform
  double window = 1;                           // seconds, above 0
};

// Throws invalid_argument where they do not go together.
[[nodiscard]] pipeline::ChainChoice chain_choice(const ChainArguments& arguments);
// switch_probability, transition, initial and switch_scaling.
[[nodiscard]] pipeline::ChainChoice chain_choice(const Keywords& keywords);
// Throws invalid_argument where they make no chain of so many states.
[[nodiscard]] hmm::Chain chain_of(const ChainArguments& arguments, Index states);
// Nothing unless the switch probability is unknown.
[[nodiscard]] std::optional<hmm::Bank> bank_of(const ChainArguments& arguments, Index states);

// What was found of an unknown switch probability: a dict of arrays, and words.
[[nodiscard]] py::dict switching_dict(const SwitchPosterior& found);

// Seconds, a pair (shortest, longest), or as typed to the program. Throws invalid_argument naming switch_every.
[[nodiscard]] SwitchInterval interval_of(const py::object& value);
[[nodiscard]] std::string interval_text(const py::object& value);

}  // namespace heed::python
