// SPDX-License-Identifier: MIT
#include <io/bids/problems.h>
#include <io/score_tables/window_table.h>

#include <algorithm>
#include <charconv>

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

Problem problem_of(const Error& error) {
  const std::string_view message = error.what();
  constexpr std::string_view prefix = "row ";
  std::size_t row = 0;
  const char* const end = message.data() + message.size();
  const auto number = message.starts_with(prefix) ? std::from_chars(message.data() + prefix.size(), end, row)
                                                  : std::from_chars_result{message.data(), std::errc::invalid_argument};
  std::string_view rest(number.ptr, static_cast<std::size_t>(end - number.ptr));
  const std::size_t joint = rest.starts_with(", ") || rest.starts_with(": ") ? 2U : rest.starts_with(' ') ? 1U : 0U;
  if (number.ec != std::errc{} || joint == 0) return {Severity::error, {}, 0, std::string(message)};
  return {Severity::error, {}, row, std::string(rest.substr(joint))};
}

std::size_t needed_column(const TsvReader& reader, std::string_view name) {
  if (const auto column = reader.find(name)) return *column;
  const std::vector<std::string> names(reader.names().begin(), reader.names().end());
  const bool one_cell = names.size() == 1 && names.front().find_first_of(",; ") != std::string::npos;
  throw Error(ErrorKind::bad_data, "row 1: there is no column " + std::string(name) + " among " +
                                       in_quotes(listed(names)) +
                                       (one_cell ? "; separate the columns by tabs" : "; add it, separated by a tab"));
}

std::string_view optional_cell(const TsvReader& reader, std::optional<std::size_t> column) {
  const std::string_view cell = column ? reader.cell(*column) : std::string_view{};
  return cell == missing_cell ? std::string_view{} : cell;
}

std::string name_cell(const TsvReader& reader, std::optional<std::size_t> column) {
  const std::string_view cell = optional_cell(reader, column);
  if (cell.find_first_of(std::string_view("\r\0", 2)) != std::string_view::npos) {
    throw reader.error(*column, in_quotes(cell) + " holds a control character; remove it");
  }
  return std::string(cell);
}

void ProblemList::error(const std::filesystem::path& file, const Error& error) {
  std::string message = error.what();
  const std::string whole = file.string() + ": ";
  if (message.starts_with(whole)) message.erase(0, whole.size());
  const std::string folder = (root_ / "").string();
  for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder, at)) {
    message.erase(at, folder.size());
  }
  add(file, {problem_of(Error(error.kind(), message))});
}

void ProblemList::add(const std::filesystem::path& file, Problems problems) {
  for (Problem& problem : problems) {
    if (problem.file.empty()) problem.file = shown(file);
    problems_.push_back(std::move(problem));
  }
}

}  // namespace heed::io
