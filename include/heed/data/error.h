// SPDX-License-Identifier: MIT
// What heed throws when the world is wrong: a kind a caller can act on, and a message that names
// the place (file, row, trial) and the remedy. The program turns the kind into an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace heed::data {

enum class ErrorKind {
  invalid_argument,  // the caller asked for something impossible, e.g. a switch probability of 2
  bad_data,          // the input does not mean what it should
  not_found,         // a file or name is not there
  unsupported,       // well-formed, but heed cannot do it here
  singular,          // the numbers carry no information to fit from
  cannot_create,     // an output file or folder cannot be made
  io,                // reading or writing failed half-way
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

  // The same error seen from further out: "place: message".
  [[nodiscard]] Error within(std::string_view place) const { return {kind_, std::string(place) + ": " + what()}; }

 private:
  ErrorKind kind_;
};

}  // namespace heed::data

namespace heed {
using data::Error;
using data::ErrorKind;
}  // namespace heed
