// SPDX-License-Identifier: MIT
#include "native/arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "native/errors.h"

namespace heed::python {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")).cast<std::string>(); }

py::array array_of(py::handle value, const char* argument) {
  if (py::isinstance<py::array>(value)) return py::reinterpret_borrow<py::array>(value);
  if (py::hasattr(value, "toarray")) {
    refuse(argument, "a sparse matrix was given, but dense data is required; use X.toarray()");
  }
  py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    refuse(argument, "cannot be made an array: rows of one length and numbers only, please");
  }
  return array;
}

// In place where it can be, else converted.
py::array doubles_of(const py::array& array, const char* argument) {
  const char kind = array.dtype().kind();
  if (kind == 'c') refuse(argument, "Complex data not supported; scores and signals are real numbers");
  const bool in_place = py::isinstance<py::array_t<double>>(array) &&
                        (array.ndim() == 0 || array.strides(array.ndim() - 1) == sizeof(double)) &&
                        reinterpret_cast<std::uintptr_t>(array.data()) % alignof(double) == 0;
  if (in_place) return array;
  Doubles copy = Doubles::ensure(array);
  if (!copy) {
    PyErr_Clear();
    const auto type = py::str(array.dtype()).cast<std::string>();
    if (kind == 'O') throw py::type_error(std::string(argument) + ": argument must be numbers, not objects");
    refuse(argument, "wants numbers, not an array of type " + type);
  }
  return copy;
}

bool sequences_lie_below_each_other(const py::array& array) {
  return array.strides(0) == array.shape(1) * array.strides(1);
}

bool rows_go_forwards(const py::array& array) {
  const py::ssize_t stride = array.strides(array.ndim() - 2);
  return stride >= 0 && stride % static_cast<py::ssize_t>(sizeof(double)) == 0;
}

template <typename Value, typename Owner>
py::array_t<Value> owned(Owner&& owner, std::vector<py::ssize_t> shape) {
  auto* kept = new Owner(std::forward<Owner>(owner));
  const py::capsule release(kept, [](void* pointer) { std::default_delete<Owner>()(static_cast<Owner*>(pointer)); });
  return py::array_t<Value>(std::move(shape), kept->data(), release);
}

std::vector<Speaker> speakers_of(const std::vector<double>& labels, const char* argument, Index speakers) {
  std::vector<Speaker> result;
  result.reserve(labels.size());
  for (const double label : labels) {
    const bool unknown = std::isnan(label) || label == -1;
    const bool known = label >= 0 && label < static_cast<double>(speakers) && label == std::floor(label);
    if (!unknown && !known) {
      const auto number = py::str(py::float_(label)).cast<std::string>();
      refuse(argument, "window " + std::to_string(result.size() + 1) + ": " + number +
                           " is no column: speakers count from 0 to " + std::to_string(speakers - 1) +
                           ", -1 is unknown");
    }
    result.push_back(unknown ? unknown_speaker : static_cast<Speaker>(label));
  }
  return result;
}

}  // namespace

Rows rows_of(py::handle value, const char* argument, Dimensions dimensions) {
  py::array array = array_of(value, argument);
  const bool three = array.ndim() == 3 && dimensions == Dimensions::two_or_three;
  if (array.ndim() != 2 && !three) {
    const std::string others = dimensions == Dimensions::two_or_three ? ", or sequences x rows x columns (3)" : "";
    refuse(argument, "Expected 2D array, rows (time) x columns" + others + ", got shape " + shape_text(array) +
                         ". Reshape your data");
  }
  array = doubles_of(array, argument);
  if (!rows_go_forwards(array) || (three && !sequences_lie_below_each_other(array))) array = Doubles(array);
  const py::ssize_t columns = array.shape(array.ndim() - 1);
  if (columns == 0) refuse(argument, "0 feature(s) (shape " + shape_text(array) + "): there is no column");
  Rows rows;
  rows.sequences = three ? array.shape(0) : 0;
  const Index count = three ? array.shape(0) * array.shape(1) : array.shape(0);
  const Index stride = array.strides(array.ndim() - 2) / static_cast<Index>(sizeof(double));
  rows.view = {static_cast<const double*>(array.data()), count, columns, stride};
  rows.keeper = std::move(array);
  return rows;
}

std::vector<double> numbers_of(py::handle value, const char* argument) {
  const py::array array = array_of(value, argument);
  const bool column = array.ndim() == 2 && array.shape(1) == 1;
  if (array.ndim() != 1 && !column) refuse(argument, "wants one number a row, got shape " + shape_text(array));
  const auto numbers = Doubles(doubles_of(array, argument));
  return {numbers.data(), numbers.data() + numbers.size()};
}

AttentionTrack attention_of(py::handle value, const char* argument, Index speakers) {
  return {speakers_of(numbers_of(value, argument), argument, speakers)};
}

std::vector<Index> lengths_of(py::handle value, Index rows) {
  std::vector<Index> lengths;
  Index total = 0;
  for (const double length : numbers_of(value, "lengths")) {
    if (!(length >= 1) || length != std::floor(length) || length > static_cast<double>(rows - total)) {
      refuse("lengths",
             "whole numbers of rows, 1 or more, that add up to the " + std::to_string(rows) + " rows there are");
    }
    lengths.push_back(static_cast<Index>(length));
    total += lengths.back();
  }
  if (total != rows) {
    refuse("lengths", "they add up to " + std::to_string(total) + ", but there are " + std::to_string(rows) + " rows");
  }
  return lengths;
}

py::array_t<double> to_numpy(Matrix&& matrix) {
  const std::vector<py::ssize_t> shape{matrix.rows(), matrix.cols()};
  return owned<double>(std::move(matrix), shape);
}

py::array_t<double> to_numpy(std::vector<double>&& values) {
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(values.size())};
  return owned<double>(std::move(values), shape);
}

py::array_t<Speaker> to_numpy(std::vector<Speaker>&& values) {
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(values.size())};
  return owned<Speaker>(std::move(values), shape);
}

}  // namespace heed::python
