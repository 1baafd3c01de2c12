// SPDX-License-Identifier: MIT
#include "native/errors.h"

#include <exception>
#include <string_view>

namespace heed::python {
namespace {

// Names of heed/_errors.py, in the order of ErrorKind.
const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return "InvalidArgumentError";
    case ErrorKind::bad_data:
      return "BadDataError";
    case ErrorKind::not_found:
      return "NotFoundError";
    case ErrorKind::unsupported:
      return "UnsupportedError";
    case ErrorKind::singular:
      return "SingularError";
    case ErrorKind::cannot_create:
      return "CannotCreateError";
    case ErrorKind::io:
      return "InputOutputError";
  }
  return "Error";
}

// Messages quote names of files and cells of tables, which need not be UTF-8: such bytes are shown as \xff.
py::str text_of(const Error& error) {
  const std::string_view text = error.what();
  auto* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "backslashreplace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as pybind11 calls it
void translate(std::exception_ptr raised) {
  try {
    if (raised) std::rethrow_exception(raised);
  } catch (const Error& error) {
    const py::object type = py::module_::import("heed._errors").attr(class_of(error.kind()));
    PyErr_SetObject(type.ptr(), text_of(error).ptr());
  } catch (const py::cast_error&) {
    // pybind11 would call it a RuntimeError and speak of C++.
    PyErr_SetString(PyExc_TypeError,
                    "an argument, or a part of one, is of the wrong type, or text with invalid characters");
  }
}

}  // namespace

void translate_errors() { py::register_exception_translator(&translate); }

void refuse(const std::string& argument, const std::string& problem) {
  throw Error(ErrorKind::invalid_argument, argument + ": " + problem);
}

}  // namespace heed::python
