// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <heed/data/error.h>
#include <report/study_page/result_rows.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace heed::report {
namespace {

// The columns of a setting, looked up once for all rows.
class RowFilter {
 public:
  RowFilter(const ResultTable& table, const NamedValues& setting) {
    for (const NamedValue& one : setting) wanted_.emplace_back(table.column(one.name), &one.value);
  }
  [[nodiscard]] bool holds(const std::vector<TableValue>& row) const {
    return std::ranges::all_of(wanted_, [&](const auto& one) { return row[one.first] == *one.second; });
  }

 private:
  std::vector<std::pair<std::size_t, const TableValue*>> wanted_;
};

bool has_columns(const ResultTable& table, const NamedValues& setting) {
  return std::ranges::all_of(setting, [&](const NamedValue& one) {
    return std::ranges::find(table.columns, one.name) != table.columns.end();
  });
}

// Whether all rows of the narrower setting, of which there are some, belong to the wider one.
bool is_about(const ResultTable& table, const NamedValues& narrower, const NamedValues& wider) {
  if (!has_columns(table, narrower)) return false;
  const RowFilter inner(table, narrower);
  const RowFilter outer(table, wider);
  bool some = false;
  for (const auto& row : table.rows) {
    if (!inner.holds(row)) continue;
    if (!outer.holds(row)) return false;
    some = true;
  }
  return some;
}

}  // namespace

std::vector<NamedValues> distinct_settings(const ResultTable& table, const std::vector<std::string>& columns,
                                           const NamedValues& within) {
  std::vector<std::size_t> places;
  places.reserve(columns.size());
  for (const std::string& name : columns) places.push_back(table.column(name));
  const RowFilter filter(table, within);
  std::vector<NamedValues> settings;
  for (const auto& row : table.rows) {
    if (!filter.holds(row)) continue;
    NamedValues setting;
    for (std::size_t k = 0; k < columns.size(); ++k) setting.push_back({columns[k], row[places[k]]});
    if (std::ranges::find(settings, setting) == settings.end()) settings.push_back(std::move(setting));
  }
  return settings;
}

PlottedValues plotted_values(const ResultTable& table, const NamedValues& setting, const std::string& measure) {
  const evaluate::MeasuredParticipants measured = evaluate::measured(table, setting, measure);
  PlottedValues plotted;
  for (std::size_t k = 0; k < measured.values.size(); ++k) {
    if (measured.values[k]) plotted.participants.push_back({measured.participants[k], *measured.values[k]});
  }
  plotted.mean = evaluate::summarise(measured.values).mean;
  plotted.middle_half = evaluate::quartiles(measured.values);
  return plotted;
}

const PublishedValue* published_at(const StudyResult& result, const ResultTable& table, const NamedValues& setting,
                                   const std::string& measure) {
  for (const PublishedValue& one : result.study.published) {
    if (one.measure == measure && is_about(table, one.setting, setting)) return &one;
  }
  return nullptr;
}

std::optional<PublishedMark> published_mark(const PublishedValue* published) {
  if (published == nullptr) return std::nullopt;
  return PublishedMark{published->value, published->place};
}

const ResultTable& table_of(const StudyResult& result, const std::string& name) {
  const ResultTable* table = result.find(name);
  if (table != nullptr) return *table;
  std::string known;
  for (const NamedTable& one : result.tables) known += (known.empty() ? "" : ", ") + one.name;
  throw Error(ErrorKind::not_found, "study '" + result.study.name + "' has no table '" + name + "'; it has " +
                                        (known.empty() ? "none" : known));
}

std::string main_table(const Study& study) {
  if (study.measure == StudyMeasure::trace) return "trace";
  return study.measure == StudyMeasure::independence ? "lags" : "tracking";
}

std::optional<double> number_in(const TableValue& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

NamedValues joined(NamedValues setting, const NamedValues& more) {
  std::ranges::copy(more, std::back_inserter(setting));
  return setting;
}

}  // namespace heed::report
