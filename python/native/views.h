// SPDX-License-Identifier: MIT
// Numbers that live in a native object, as numpy sees them: read-only, without a copy; the array keeps their owner.
// And the other way round: a copy of the caller's rows, for objects that outlive the call.
#pragma once

#include <heed/data/matrix.h>
#include <pybind11/numpy.h>

#include <memory>
#include <type_traits>
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

// An array that owns the matrix, whatever its numbers are.
template <typename Scalar>
[[nodiscard]] py::array_t<Scalar> handed_over(
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>&& matrix) {
  using Owner = std::remove_reference_t<decltype(matrix)>;
  auto kept = std::make_unique<Owner>(std::move(matrix));
  Owner* owner = kept.get();
  const py::capsule release(owner, [](void* pointer) { std::default_delete<Owner>()(static_cast<Owner*>(pointer)); });
  (void)kept.release();  // the capsule's from here on
  return py::array_t<Scalar>({owner->rows(), owner->cols()}, owner->data(), release);
}

[[nodiscard]] inline Matrix copied(const MatrixView& view) {
  return Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(view.data, view.rows, view.columns,
                                                           Eigen::OuterStride<>(view.stride));
}

}  // namespace heed::python
