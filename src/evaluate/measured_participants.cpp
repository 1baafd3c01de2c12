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

MeasuredParticipants measured(const ResultTable& results, const NamedValues& setting, const std::string& measure) {
  const std::size_t participant = results.column("participant");
  const std::size_t value_column = results.column(measure);
  const std::vector<std::size_t> columns = columns_of(results, setting);
  MeasuredParticipants all;
  std::vector<double> sums;
  std::vector<double> counts;
  std::map<std::string, std::size_t> places;
  for (const std::vector<TableValue>& row : results.rows) {
    const auto [found, is_new] = places.try_emplace(data::text_of(row[participant]), sums.size());
    if (is_new) {
      all.participants.push_back(found->first);
      sums.push_back(0);
      counts.push_back(0);
    }
    const auto* value = std::get_if<double>(&row[value_column]);
    if (value == nullptr || !std::isfinite(*value) || !is_at(row, columns, setting)) continue;
    sums[found->second] += *value;
    counts[found->second] += 1;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    all.values.push_back(counts[k] > 0 ? std::optional(sums[k] / counts[k]) : std::nullopt);
  }
  return all;
}

}  // namespace heed::evaluate
