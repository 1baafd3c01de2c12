// SPDX-License-Identifier: MIT
// How a Python call says which Markov chain to use: switch_probability, transition, initial, window.
#pragma once

#include <heed/hmm/chain.h>
#include <pybind11/pybind11.h>

#include <optional>

namespace heed::python {

namespace py = pybind11;

struct ChainArguments {
  std::optional<double> switch_probability{};  // per window and target; nothing: .001 a second, times the window
  py::object transition = py::none();          // states x states, row = from; instead of the sticky chain
  py::object initial = py::none();             // of the first window; None: uniform
  double window = 1;                           // seconds, above 0
};

// Throws invalid_argument where they make no chain of so many states.
[[nodiscard]] hmm::Chain chain_of(const ChainArguments& arguments, Index states);

}  // namespace heed::python
