// SPDX-License-Identifier: MIT
#include <heed/io/bids/problem.h>

#include <algorithm>

namespace heed::io {

std::string Problem::text() const {
  if (row == 0) return message;
  return "row " + std::to_string(row) + (message.starts_with("column ") ? ", " : ": ") + message;
}

void throw_first_error(const Problems& problems) {
  const auto first = std::ranges::find(problems, Severity::error, &Problem::severity);
  if (first == problems.end()) return;
  const Error error(ErrorKind::bad_data, first->text());
  throw first->file.empty() ? error : error.within(first->file);
}

}  // namespace heed::io
