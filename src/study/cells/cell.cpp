// SPDX-License-Identifier: MIT
#include <study/cells/cell.h>

#include <algorithm>

namespace heed::study {
namespace {

constexpr std::string_view notes_table = "notes";
constexpr const char* note_word = "note";
constexpr const char* left_out_word = "left-out";

// A table's words have no tab and no line end; file names in messages may.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

const ResultTable* Cell::find(std::string_view table) const noexcept {
  const auto found = std::ranges::find(tables, table, &NamedTable::name);
  return found != tables.end() ? &found->table : nullptr;
}

std::vector<NamedTable> tables_of(const Cell& cell) {
  std::vector<NamedTable> tables = cell.tables;
  ResultTable notes{.columns = {"kind", "text"}, .rows = {}};
  for (const std::string& note : cell.notes) notes.rows.push_back({std::string(note_word), one_line(note)});
  if (!cell.left_out.empty()) notes.rows.push_back({std::string(left_out_word), one_line(cell.left_out)});
  if (!notes.rows.empty()) tables.push_back({std::string(notes_table), std::move(notes)});
  return tables;
}

Cell cell_of(std::vector<NamedTable> tables) {
  Cell cell;
  for (NamedTable& one : tables) {
    if (one.name != notes_table) {
      cell.tables.push_back(std::move(one));
      continue;
    }
    const std::size_t kind = one.table.column("kind");
    const std::size_t text = one.table.column("text");
    for (const auto& row : one.table.rows) {
      if (data::text_of(row[kind]) == left_out_word) {
        cell.left_out = data::text_of(row[text]);
      } else {
        cell.notes.push_back(data::text_of(row[text]));
      }
    }
  }
  return cell;
}

}  // namespace heed::study
