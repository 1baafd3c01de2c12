// SPDX-License-Identifier: MIT
// What is wrong with a dataset, one place at a time. An error stops whoever uses the place; a warning
// is something heed has a meaning for that the user may not have meant.
#pragma once

#include <heed/data/error.h>

#include <cstddef>
#include <string>
#include <vector>

namespace heed::io {

enum class Severity { error, warning };

struct Problem {
  Severity severity = Severity::error;
  std::string file{};     // below the dataset's folder; empty: the caller knows it
  std::size_t row = 0;    // of the file, the first is 1; 0: the file as a whole
  std::string message{};  // column, what is wrong, and after a semicolon what to do

  // "row 17, column onset: 'abc' is not a number; write seconds", without the file.
  [[nodiscard]] std::string text() const;
};

using Problems = std::vector<Problem>;

// Throws the first error of them, as bad_data; passes over warnings.
void throw_first_error(const Problems& problems);

}  // namespace heed::io
