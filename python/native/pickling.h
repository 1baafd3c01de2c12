// SPDX-License-Identifier: MIT
// How native values go through pickles and copies.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <utility>

namespace heed::python {

namespace py = pybind11;

// For the oldest protocols, 0 and 1, Python would make an object by way of pybind11's base class, which ends the
// process: they are served by protocol 2. Every class wants this, also those that cannot be pickled: those say so then.
template <typename Value>
void serve_old_protocols(py::class_<Value>& type) {
  type.def("__reduce_ex__", [](const py::object& self, int protocol) {
    const py::object usual = py::module_::import("builtins").attr("object").attr("__reduce_ex__");
    return py::object(usual(self, std::max(protocol, 2)));
  });
}

// get: a value to a state; set: a state to a value.
template <typename Value, typename Get, typename Set>
void add_pickling(py::class_<Value>& type, Get get, Set set) {
  type.def(py::pickle(std::move(get), std::move(set)));
  serve_old_protocols(type);
}

}  // namespace heed::python
