// SPDX-License-Identifier: MIT
// Reading a table to its end although rows of it are wrong, so that a user hears of all of them at once.
#pragma once

#include <heed/io/bids/problem.h>
#include <io/tsv.h>

#include <span>
#include <string>
#include <string_view>

namespace heed::io {

// What a reader threw. Its message begins with the row ("row 17, column onset: ..."), which the problem says itself.
[[nodiscard]] Problem problem_of(const Error& error);

// read(TsvReader&) builds what is wanted; the problem is the one that ends it: no header, a column missing.
template <typename Read>
void check_table(std::string_view text, Problems& problems, Read&& read) {
  try {
    TsvReader reader(text);
    read(reader);
  } catch (const Error& error) {
    problems.push_back(problem_of(error));
  }
}

// take(reader) for every row that has its cells; what it throws is that row's problem.
template <typename Take>
void check_rows(TsvReader& reader, Problems& problems, Take&& take) {
  bool more = true;
  while (more) {
    try {
      more = reader.next();
      if (more) take(reader);
    } catch (const Error& error) {
      problems.push_back(problem_of(error));
    }
  }
}

// The column with this name. Throws for row 1 where there is none.
[[nodiscard]] std::size_t needed_column(const TsvReader& reader, std::string_view name);

// The cell in a column that may not be there; n/a and nothing are the same.
[[nodiscard]] std::string_view optional_cell(const TsvReader& reader, std::optional<std::size_t> column);

// The same for a name: throws if it holds what no table can, a lone carriage return or a NUL.
[[nodiscard]] std::string name_cell(const TsvReader& reader, std::optional<std::size_t> column);

// Tabs and line ends would break the table, n/a and nothing mean something else: throws invalid_argument.
void check_writable(std::string_view cell, std::string_view what);

}  // namespace heed::io
