// SPDX-License-Identifier: MIT
#include "native/interrupt.h"

namespace heed::python {

void Released::check() {
  constexpr std::chrono::milliseconds between{50};
  const auto now = std::chrono::steady_clock::now();
  if (now - checked_ < between) return;
  checked_ = now;
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace heed::python
