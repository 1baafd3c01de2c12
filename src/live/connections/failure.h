// SPDX-License-Identifier: MIT
// What ended a thread, kept for another one to throw. A value and not an exception_ptr: threads then share nothing but
// what a lock guards, and ThreadSanitizer can see it.
#pragma once

#include <heed/data/error.h>

#include <exception>
#include <optional>
#include <string>

namespace heed::live {

struct Failure {
  ErrorKind kind{};
  std::string message{};
};

// Of work(), which may be ended by anything.
template <typename Work>
std::optional<Failure> failure_of(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    return Failure{error.kind(), error.what()};
  } catch (const std::exception& error) {
    return Failure{ErrorKind::io, std::string("internal error: ") + error.what()};
  }
}

}  // namespace heed::live
