// SPDX-License-Identifier: MIT
// Long calls let other Python threads run, and end at Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <thread>

namespace heed::python {

namespace py = pybind11;

// The GIL is released while one exists: touch no Python object meanwhile. Call check() between pieces of work: it takes
// the GIL for a moment, at most about twenty times per second, and throws what a signal handler raised
// (KeyboardInterrupt). On threads other than the one that made it, which Python does not know, it does nothing. A
// thread that is still at work when the interpreter ends is never heard of again.
class Released {
 public:
  Released();
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  void check();

 private:
  PyThreadState* state_;
  std::thread::id maker_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point checked_;
};

}  // namespace heed::python
