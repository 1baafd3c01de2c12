// SPDX-License-Identifier: MIT
// What is wrong with a dataset, one place at a time. An error stops whoever uses the place; a warning
// is something heed has a meaning for that the user may not have meant.
// Tables are read to their end although rows of them are wrong, so that a user hears of all of them at once.
#pragma once

#include <heed/data/error.h>
#include <io/tsv.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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

// Problems as they are found, each with its file's name below the dataset's folder.
class ProblemList {
 public:
  explicit ProblemList(std::filesystem::path root) : root_(std::move(root)) {}

  void error(const std::filesystem::path& file, std::string message, std::size_t row = 0) {
    problems_.push_back({Severity::error, shown(file), row, std::move(message)});
  }
  void warning(const std::filesystem::path& file, std::string message, std::size_t row = 0) {
    problems_.push_back({Severity::warning, shown(file), row, std::move(message)});
  }
  // Messages of readers begin with the whole path, here and inside: all of them are cut to what is below the folder.
  void error(const std::filesystem::path& file, const Error& error);

  // Of one file, or with the file in them already.
  void add(const std::filesystem::path& file, Problems problems);

  [[nodiscard]] Problems take() { return std::move(problems_); }

 private:
  [[nodiscard]] std::string shown(const std::filesystem::path& file) const {
    return file.empty() ? "." : file.lexically_relative(root_).string();
  }

  std::filesystem::path root_;
  Problems problems_;
};

}  // namespace heed::io
