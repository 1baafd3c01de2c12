// SPDX-License-Identifier: MIT
// Keywords of calls with many options, which Python functions of heed declare and document.
#pragma once

#include <pybind11/stl.h>

#include <optional>
#include <string>

namespace heed::python {

namespace py = pybind11;

class Keywords {
 public:
  explicit Keywords(py::dict values) : values_(std::move(values)) {}

  // None where it was not given.
  [[nodiscard]] py::object object(const char* name) const {
    return values_.contains(name) ? py::object(values_[name]) : py::none();
  }

  // Nothing where it was not given. Throws TypeError naming the argument.
  template <typename Value>
  [[nodiscard]] std::optional<Value> optional(const char* name, const char* wanted) const {
    const py::object value = object(name);
    if (value.is_none()) return std::nullopt;
    try {
      return value.cast<Value>();
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(name) + ": expected " + wanted + ", not " + py::repr(value).cast<std::string>());
    }
  }

  [[nodiscard]] std::optional<double> number(const char* name) const { return optional<double>(name, "a number"); }
  [[nodiscard]] std::optional<int> whole(const char* name) const { return optional<int>(name, "a whole number"); }
  [[nodiscard]] std::optional<std::string> word(const char* name) const { return optional<std::string>(name, "a str"); }
  [[nodiscard]] bool flag(const char* name) const { return optional<bool>(name, "True or False").value_or(false); }
  [[nodiscard]] std::optional<std::uint64_t> seed(const char* name) const {
    return optional<std::uint64_t>(name, "a whole number of at least 0");
  }

 private:
  py::dict values_;
};

}  // namespace heed::python
