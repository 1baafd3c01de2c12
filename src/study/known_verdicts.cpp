// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/known_verdicts.h>

#include <algorithm>
#include <array>

namespace heed::study {
namespace {

constexpr std::string_view heading = "study\tclaim\tcohort\tverdict\tevidence";

[[noreturn]] void refuse(std::size_t line, const std::string& message) {
  throw Error(ErrorKind::bad_data, "studies/verdicts.tsv:" + std::to_string(line) + ": " + message +
                                       "; write the file anew with studies/write_verdicts.py");
}

std::string_view take_cell(std::string_view& text) {
  const std::size_t place = text.find('\t');
  const std::string_view taken = text.substr(0, place);
  text.remove_prefix(place == std::string_view::npos ? text.size() : place + 1);
  return taken;
}

std::optional<bool> read_holds(std::string_view word, std::size_t line) {
  if (word == "holds") return true;
  if (word == "does not hold") return false;
  if (word == "cannot be told") return std::nullopt;
  refuse(line, "no verdict '" + std::string(word) + "'");
}

VerdictRow read_row(std::string_view text, std::size_t line) {
  if (std::ranges::count(text, '\t') != 4) refuse(line, "not five columns");
  std::array<std::string, 5> cells;
  for (std::string& cell : cells) cell = take_cell(text);
  return {cells[0], cells[1], {cells[2], read_holds(cells[3], line), cells[4]}};
}

}  // namespace

std::vector<VerdictRow> parse_verdicts(std::span<const std::string_view> lines) {
  if (lines.empty() || lines.front() != heading) refuse(1, "the columns are not '" + std::string(heading) + "'");
  std::vector<VerdictRow> rows;
  for (std::size_t k = 1; k < lines.size(); ++k) rows.push_back(read_row(lines[k], k + 1));
  return rows;
}

std::vector<KnownVerdict> known_verdicts(std::string_view study, std::string_view claim) {
  static const std::vector<VerdictRow> rows = parse_verdicts(verdict_lines());
  std::vector<KnownVerdict> verdicts;
  for (const VerdictRow& row : rows) {
    if (row.study == study && row.claim == claim) verdicts.push_back(row.verdict);
  }
  return verdicts;
}

}  // namespace heed::study
