// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <evaluate/measured_participants.h>

#include <cmath>
#include <map>
#include <set>

namespace heed::evaluate {
namespace {

bool is_at(const std::vector<TableValue>& row, const std::vector<std::size_t>& columns, const NamedValues& setting) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (row[columns[k]] != setting[k].value) return false;
  }
  return true;
}

std::vector<std::size_t> columns_of(const ResultTable& results, const NamedValues& setting) {
  std::vector<std::size_t> columns;
  for (const NamedValue& one : setting) columns.push_back(results.column(one.name));
  return columns;
}

}  // namespace

std::vector<double> places_along(const ResultTable& results, const NamedValues& setting, const std::string& along) {
  const std::size_t column = results.column(along);
  const std::vector<std::size_t> columns = columns_of(results, setting);
  std::set<double> places;
  for (const std::vector<TableValue>& row : results.rows) {
    const auto* place = std::get_if<double>(&row[column]);
    if (place != nullptr && is_at(row, columns, setting)) places.insert(*place);
  }
  return {places.begin(), places.end()};
}

std::vector<std::size_t> rows_at(const ResultTable& results, const NamedValues& setting) {
  const std::vector<std::size_t> columns = columns_of(results, setting);
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < results.rows.size(); ++r) {
    if (is_at(results.rows[r], columns, setting)) rows.push_back(r);
  }
  return rows;
}

TableParticipants participants_in(const ResultTable& results) {
  const std::size_t column = results.column("participant");
  TableParticipants all;
  std::map<std::string, std::size_t> places;
  for (const std::vector<TableValue>& row : results.rows) {
    const auto [found, is_new] = places.try_emplace(data::text_of(row[column]), all.names.size());
    if (is_new) all.names.push_back(found->first);
    all.of_row.push_back(found->second);
  }
  return all;
}

MeasuredParticipants measured(const ResultTable& results, const TableParticipants& participants,
                              std::span<const std::size_t> rows, const std::string& measure) {
  const std::size_t column = results.column(measure);
  std::vector<double> sums(participants.names.size());
  std::vector<double> counts(participants.names.size());
  for (const std::size_t r : rows) {
    const auto* value = std::get_if<double>(&results.rows[r][column]);
    if (value == nullptr || !std::isfinite(*value)) continue;
    sums[participants.of_row[r]] += *value;
    counts[participants.of_row[r]] += 1;
  }
  MeasuredParticipants all{.participants = participants.names};
  for (std::size_t k = 0; k < sums.size(); ++k) {
    all.values.push_back(counts[k] > 0 ? std::optional(sums[k] / counts[k]) : std::nullopt);
  }
  return all;
}

MeasuredParticipants measured(const ResultTable& results, const NamedValues& setting, const std::string& measure) {
  return measured(results, participants_in(results), rows_at(results, setting), measure);
}

}  // namespace heed::evaluate
