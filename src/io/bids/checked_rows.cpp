// SPDX-License-Identifier: MIT
#include <io/bids/checked_rows.h>
#include <io/windows/window_table.h>

namespace heed::io {

Problem row_problem(std::size_t row, const Error& error) {
  std::string_view message = error.what();
  const std::string prefix = "row " + std::to_string(row);
  if (!message.starts_with(prefix)) return {Severity::error, {}, 0, std::string(message)};
  message.remove_prefix(prefix.size());
  for (const std::string_view joint : {", ", ": ", " "}) {
    if (!message.starts_with(joint)) continue;
    message.remove_prefix(joint.size());
    break;
  }
  return {Severity::error, {}, row, std::string(message)};
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

void check_writable(std::string_view cell, std::string_view what) {
  const bool breaks = cell.find_first_of(std::string_view("\t\r\n\0", 4)) != std::string_view::npos;
  if (!cell.empty() && cell != missing_cell && !breaks) return;
  throw Error(ErrorKind::invalid_argument, "cannot write the table: " + std::string(what) + " cannot be called " +
                                               in_quotes(cell) + "; tabs, line ends and n/a have a meaning");
}

}  // namespace heed::io
