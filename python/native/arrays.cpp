// SPDX-License-Identifier: MIT
#include "native/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "native/errors.h"

namespace heed::python {
namespace {

constexpr py::ssize_t number_size = sizeof(double);

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")).cast<std::string>(); }

std::string type_name(py::handle value) { return py::str(py::type::handle_of(value).attr("__name__")); }

// What numpy says against a value is told with the argument's name. Anything else, such as Ctrl-C or no memory left,
// is not about the value and goes on as it is.
template <typename Make>
auto naming(const char* argument, const Make& make) {
  try {
    return make();
  } catch (const py::error_already_set& raised) {
    const std::string text = py::str(raised.value());
    if (raised.matches(PyExc_TypeError)) throw py::type_error(std::string(argument) + ": " + text);
    if (raised.matches(PyExc_ValueError) || raised.matches(PyExc_OverflowError)) refuse(argument, text);
    throw;
  }
}

py::array as_doubles(py::handle array) {
  using py::literals::operator""_a;
  return py::array(array.attr("astype")(py::dtype::of<double>(), "order"_a = "C", "subok"_a = false));
}

// Masked arrays: what is masked is missing. The rest of numpy's own kinds are arrays like any other.
py::array array_of_subclass(py::handle value, const char* argument) {
  if (!py::hasattr(value, "filled")) return py::reinterpret_borrow<py::array>(value);
  return naming(argument, [&] {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    return as_doubles(value.attr("astype")(py::dtype::of<double>()).attr("filled")(missing));
  });
}

// Lists, frames and whatever else numpy can make an array of.
py::array array_of_other(py::handle value, const char* argument) {
  if (py::hasattr(value, "toarray")) {
    refuse(argument, "a sparse matrix was given, but dense data is required; use X.toarray()");
  }
  if (py::hasattr(value, "get_data") && py::hasattr(value, "info")) {
    throw py::type_error(std::string(argument) + ": must be windows x speakers, not EEG from MNE (" + type_name(value) +
                         "); heed.preprocess and decoders take that");
  }
  return naming(argument, [&] {
    py::array array(py::reinterpret_borrow<py::object>(value));
    if (array.dtype().kind() != 'O' || !py::hasattr(value, "to_numpy")) return array;
    using py::literals::operator""_a;  // a frame of pandas, whose NA is no number yet
    return py::array(value.attr("to_numpy")("dtype"_a = py::dtype::of<double>(),
                                            "na_value"_a = std::numeric_limits<double>::quiet_NaN()));
  });
}

py::array array_of(py::handle value, const char* argument) {
  if (!py::isinstance<py::array>(value)) return array_of_other(value, argument);
  const bool exactly = Py_TYPE(value.ptr()) == py::detail::npy_api::get().PyArray_Type_;
  return exactly ? py::reinterpret_borrow<py::array>(value) : array_of_subclass(value, argument);
}

// Doubles of this machine's byte order, where a double may lie.
bool holds_doubles(const py::array& array) {
  return py::isinstance<py::array_t<double>>(array) &&
         reinterpret_cast<std::uintptr_t>(array.data()) % alignof(double) == 0;
}

// Throws unless its elements mean real numbers: numpy would turn dates and text into some.
void require_numbers(const py::array& array, const char* argument) {
  const char kind = array.dtype().kind();
  if (kind == 'c') refuse(argument, "Complex data not supported; scores and signals are real numbers");
  if (std::string_view("biufO").find(kind) == std::string_view::npos) {
    refuse(argument, "must be numbers, not an array of type " + py::str(array.dtype()).cast<std::string>());
  }
}

// A copy, its rows end to end.
py::array copied(const py::array& array, const char* argument) {
  return naming(argument, [&] { return as_doubles(array); });
}

// How far apart rows lie, in numbers, where they can be read in place; nothing where the array must be copied first.
// The stride of a dimension with one element means nothing (numpy's own contiguous arrays have any), so none is asked.
std::optional<Index> row_stride(const py::array& array) {
  const py::ssize_t last = array.ndim() - 1;
  const py::ssize_t columns = array.shape(last);
  if (!holds_doubles(array) || (columns > 1 && array.strides(last) != number_size)) return std::nullopt;
  if (array.size() == columns) return columns;  // a single row
  py::ssize_t apart = array.strides(last - 1);
  if (array.ndim() == 3 && array.shape(1) == 1) {
    apart = array.strides(0);
  } else if (array.ndim() == 3 && array.shape(0) > 1 && array.strides(0) != array.shape(1) * apart) {
    return std::nullopt;  // sequences do not lie below each other
  }
  if (apart < 0 || apart % number_size != 0) return std::nullopt;
  return apart / number_size;
}

template <typename Value, typename Owner>
py::array_t<Value> owned(Owner&& owner, std::vector<py::ssize_t> shape) {
  auto kept = std::make_unique<Owner>(std::forward<Owner>(owner));
  const auto* values = kept->data();
  const py::capsule release(kept.get(),
                            [](void* pointer) { std::default_delete<Owner>()(static_cast<Owner*>(pointer)); });
  (void)kept.release();
  return py::array_t<Value>(std::move(shape), values, release);
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
                           " is not a column: speakers count from 0 to " + std::to_string(speakers - 1) +
                           ", -1 is unknown");
    }
    result.push_back(unknown ? unknown_speaker : static_cast<Speaker>(label));
  }
  return result;
}

void require_dimensions(const py::array& array, const char* argument, Dimensions dimensions) {
  const bool three = array.ndim() == 3 && dimensions == Dimensions::two_or_three;
  if (array.ndim() != 2 && !three) {
    const std::string others = dimensions == Dimensions::two_or_three ? ", or sequences x rows x columns (3)" : "";
    refuse(argument, "Expected 2D array, rows (time) x columns" + others + ", got shape " + shape_text(array) +
                         ". Reshape your data");
  }
  const py::ssize_t columns = array.shape(array.ndim() - 1);
  if (columns == 0) refuse(argument, "0 feature(s) (shape " + shape_text(array) + "): there is no column");
  if (array.size() == 0) refuse(argument, "0 sample(s) (shape " + shape_text(array) + "): there is no row");
}

}  // namespace

Rows rows_of(py::handle value, const char* argument, Dimensions dimensions) {
  py::array array = array_of(value, argument);
  if (array.ndim() == 0) refuse(argument, "must be an array, rows (time) x columns, not " + type_name(value));
  require_dimensions(array, argument, dimensions);
  require_numbers(array, argument);
  std::optional<Index> stride = row_stride(array);
  if (!stride) array = copied(array, argument);
  const Index columns = array.shape(array.ndim() - 1);
  Rows rows;
  rows.sequences = array.ndim() == 3 ? array.shape(0) : 0;
  rows.view = {static_cast<const double*>(array.data()), array.size() / columns, columns, stride.value_or(columns)};
  rows.keeper = std::move(array);
  return rows;
}

double number_of(py::handle value, const char* argument) {
  return naming(argument, [&] {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  });
}

std::vector<double> numbers_of(py::handle value, const char* argument) {
  py::array array = array_of(value, argument);
  const bool column = array.ndim() == 2 && array.shape(1) == 1;
  if (array.ndim() == 0) refuse(argument, "must be one number per row, not " + type_name(value));
  if (array.ndim() != 1 && !column) refuse(argument, "must be one number per row, not of shape " + shape_text(array));
  require_numbers(array, argument);
  const bool end_to_end = holds_doubles(array) && (array.flags() & py::array::c_style) != 0;
  if (!end_to_end) array = copied(array, argument);
  const auto* numbers = static_cast<const double*>(array.data());
  return {numbers, numbers + array.size()};
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
