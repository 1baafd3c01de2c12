// SPDX-License-Identifier: MIT
// sysexits codes, so that scripts can tell a typing error from a broken file.
#pragma once

#include <heed/data/error.h>

namespace heed::app {

enum ExitCode : int {
  exit_success = 0,
  exit_partial = 1,  // some participants failed
  exit_usage = 2,
  exit_bad_data = 65,
  exit_no_input = 66,
  exit_unavailable = 69,
  exit_software = 70,
  exit_cannot_create = 73,
  exit_io = 74,
};

constexpr ExitCode exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return exit_usage;
    case ErrorKind::bad_data:
    case ErrorKind::singular:
      return exit_bad_data;
    case ErrorKind::not_found:
      return exit_no_input;
    case ErrorKind::unsupported:
      return exit_unavailable;
    case ErrorKind::cannot_create:
      return exit_cannot_create;
    case ErrorKind::io:
      return exit_io;
  }
  return exit_software;
}

}  // namespace heed::app
