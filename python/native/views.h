// SPDX-License-Identifier: MIT
// Numbers that live in a native object, as numpy sees them: read-only, without a copy; the array keeps their owner.
// And the other way round: a copy of the caller's rows, for objects that outlive the call.
#pragma once

#include <heed/data/matrix.h>
#include <pybind11/numpy.h>

#include <utility>
#include <vector>

namespace heed::python {

namespace py = pybind11;

template <typename Value>
[[nodiscard]] py::array_t<Value> read_only_view(const Value* data, std::vector<py::ssize_t> shape, py::handle owner) {
  py::array_t<Value> view(std::move(shape), data, owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

[[nodiscard]] inline Matrix copied(const MatrixView& view) {
  return Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(view.data, view.rows, view.columns,
                                                           Eigen::OuterStride<>(view.stride));
}

}  // namespace heed::python
