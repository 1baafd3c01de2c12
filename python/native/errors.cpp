// SPDX-License-Identifier: MIT
#include "native/errors.h"

#include <exception>

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

void translate(std::exception_ptr raised) {
  try {
    if (raised) std::rethrow_exception(raised);
  } catch (const Error& error) {
    const py::object type = py::module_::import("heed._errors").attr(class_of(error.kind()));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

void translate_errors() { py::register_exception_translator(&translate); }

void refuse(const std::string& argument, const std::string& what) {
  throw Error(ErrorKind::invalid_argument, argument + ": " + what);
}

}  // namespace heed::python
