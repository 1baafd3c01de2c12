// SPDX-License-Identifier: MIT
#include <io/bids/checked_rows.h>
#include <io/windows/window_table.h>

#include <charconv>

namespace heed::io {

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
  throw Error(ErrorKind::bad_data, "row 1: there is no column " + std::string(name) + " among " +
                                       in_quotes(listed(names)) + "; add it, separated by a tab");
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

void check_writable(std::string_view cell, std::string_view what) {
  const bool breaks = cell.find_first_of(std::string_view("\t\r\n\0", 4)) != std::string_view::npos;
  if (!cell.empty() && cell != missing_cell && !breaks) return;
  throw Error(ErrorKind::invalid_argument, "cannot write the table: " + std::string(what) + " cannot be called " +
                                               in_quotes(cell) + "; tabs, line ends and n/a have a meaning");
}

}  // namespace heed::io
