// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/result_table_file.h>
#include <io/score_tables/sidecar.h>
#include <io/tsv.h>

#include <nlohmann/json.hpp>

namespace heed::io {
namespace {

void append_cell(std::string& text, const std::string& cell) {
  if (cell.empty() || cell.find_first_of("\t\r\n") != std::string::npos) {
    throw Error(ErrorKind::invalid_argument,
                "a table cannot hold " + in_quotes(cell) + ": a word in it is not empty and has no tab or line end");
  }
  text += cell;
}

TableValue parse_cell(std::string_view cell) {
  if (cell == missing_cell) return {};
  if (const auto number = parse_number(cell); number && data::text_of(*number) == cell) return *number;
  return std::string(cell);
}

}  // namespace

std::string table_text(const ResultTable& table) {
  std::string text;
  for (const std::string& column : table.columns) {
    if (!text.empty()) text += '\t';
    append_cell(text, column);
  }
  text += '\n';
  for (const auto& row : table.rows) {
    bool first = true;
    for (const TableValue& value : row) {
      if (!first) text += '\t';
      append_cell(text, data::text_of(value));
      first = false;
    }
    text += '\n';
  }
  return text;
}

ResultTable parse_table(std::string_view text) {
  TsvReader reader(text);
  ResultTable table;
  table.columns.assign(reader.names().begin(), reader.names().end());
  while (reader.next()) {
    auto& row = table.rows.emplace_back();
    row.reserve(table.columns.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      row.push_back(parse_cell(reader.cell(column)));
    }
  }
  return table;
}

void write_pattern(const std::filesystem::path& path, const PatternTable& pattern) {
  const Matrix& values = pattern.values;
  if (values.rows() != std::ssize(pattern.channels) || values.cols() != std::ssize(pattern.lags)) {
    throw Error(ErrorKind::invalid_argument, "a pattern needs one row per channel and one column per lag");
  }
  std::string table = "channel";
  for (const Seconds lag : pattern.lags) table += "\t" + number_text(lag.value);
  table += "\n";
  for (Index c = 0; c < values.rows(); ++c) {
    table += pattern.channels[static_cast<std::size_t>(c)];
    for (Index k = 0; k < values.cols(); ++k) table += "\t" + number_text(values(c, k));
    table += "\n";
  }
  const nlohmann::ordered_json sidecar{
      {"Description",
       "Forward pattern of a decoder: where, and how long after the sound, the decoded signal appears. Columns are "
       "lags of the EEG behind the sound, in seconds"},
      {"Units", "standard deviations of the EEG per standard deviation of the decoded signal"},
      {"HeedVersion", version()}};
  write_with_sidecar(path, table, sidecar.dump(2) + "\n");
}

}  // namespace heed::io
