// SPDX-License-Identifier: MIT
// Long calls let other Python threads run, and end at Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

namespace heed::python {

namespace py = pybind11;

// The GIL is released while one exists. Call check() between pieces of work: it takes the GIL for a moment, at most
// some twenty times a second, and throws what a signal handler raised (KeyboardInterrupt).
class Released {
 public:
  Released() = default;
  void check();

 private:
  py::gil_scoped_release released_;
  std::chrono::steady_clock::time_point checked_ = std::chrono::steady_clock::now();
};

}  // namespace heed::python
