// SPDX-License-Identifier: MIT
#include "native/interrupt.h"

#include <unistd.h>

#include <optional>
#include <utility>

namespace heed::python {
namespace {

// While the interpreter ends, Python ends whichever thread asks for the GIL by unwinding its stack, which would touch
// Python objects on its way and may not leave a destructor at all. Such a thread (a daemon) waits here for the end.
void take_gil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (...) {
    while (true) (void)pause();
  }
}

}  // namespace

// pybind11's internals are made first: errors that are thrown without the GIL look for them.
Released::Released()
    : state_((py::detail::get_internals(), PyEval_SaveThread())), checked_(std::chrono::steady_clock::now()) {}

Released::~Released() { take_gil(state_); }

void Released::check() {
  if (std::this_thread::get_id() != maker_) return;
  constexpr std::chrono::milliseconds between{50};
  const auto now = std::chrono::steady_clock::now();
  if (now - checked_ < between) return;
  checked_ = now;
  take_gil(state_);
  std::optional<py::error_already_set> raised;
  if (PyErr_CheckSignals() != 0) raised.emplace();
  state_ = PyEval_SaveThread();
  if (raised) throw std::move(*raised);
}

}  // namespace heed::python
