// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <heed/data/error.h>
#include <heed/evaluate/summary.h>
#include <report/page/result_pages.h>
#include <report/study/result_tables.h>
#include <report/study/setting_words.h>
#include <report/study/study_drawings.h>
#include <report/study/values.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

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

// Published values and claims may be about what this study's results do not have, such as a measure of another table.
bool has_column(const ResultTable& table, const std::string& name) {
  return std::ranges::find(table.columns, name) != table.columns.end();
}

bool has_columns(const ResultTable& table, const NamedValues& setting) {
  return std::ranges::all_of(setting, [&](const NamedValue& one) { return has_column(table, one.name); });
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

constexpr std::size_t most_open_rows = 16;

evaluate::MeasuredParticipants measured_at(const ResultTable& table, const NamedValues& setting,
                                           const std::string& measure) {
  const bool known = has_column(table, measure) && has_columns(table, setting);
  return known ? evaluate::measured(table, setting, measure) : evaluate::MeasuredParticipants{};
}

// "97.3 ± 2.1 %"
std::string mean_words(const std::optional<double>& mean, const std::optional<double>& sd, const MeasureAxis& axis) {
  if (!mean) return "n/a";
  if (!sd) return value_text(axis, *mean);
  return fixed_label(axis.factor * *mean, axis.decimals) + " \u00b1 " + value_text(axis, *sd);
}

// Where nothing was published, nothing is missing.
const std::string nothing_published = "\u2013";

TableCell difference_cell(const std::optional<double>& ours, const PublishedValue* published, const MeasureAxis& axis) {
  if (published == nullptr) return nothing_published;
  if (!ours) return {};
  return difference_words(*ours - published->value, axis);
}

TableCell published_cell(const PublishedValue* published, const MeasureAxis& axis) {
  if (published == nullptr) return nothing_published;
  return mean_words(published->value, published->sd, axis);
}

void append_headlines(const StudyResult& result, Table& table) {
  const ResultTable* results = result.find(main_table(result.study));
  if (results == nullptr) return;
  std::vector<NamedValues> settings;
  for (const PublishedValue& one : result.study.published) settings.push_back(one.setting);
  const std::vector<std::string> names = setting_names(settings);
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const PublishedValue& published = result.study.published[k];
    if (!published.headline) continue;
    const MeasureAxis axis = measure_axis(published.measure);
    const auto ours = evaluate::summarise(measured_at(*results, published.setting, published.measure).values);
    table.rows.push_back({names[k] + ": " + axis.title, mean_words(ours.mean, ours.sd, axis),
                          published_cell(&published, axis), difference_cell(ours.mean, &published, axis),
                          published.place});
  }
}

// Columns of one measure; those of published values only where there are any.
struct MeasureColumns {
  std::string measure{};
  MeasureAxis axis{};
  bool published = false;
};

std::vector<MeasureColumns> measure_columns(const StudyResult& result) {
  std::vector<MeasureColumns> columns;
  for (const std::string& measure : shown_measures(result)) {
    const bool published =
        std::ranges::any_of(result.study.published, [&](const PublishedValue& one) { return one.measure == measure; });
    columns.push_back({measure, measure_axis(measure), published});
  }
  return columns;
}

void append_columns(const MeasureColumns& one, Table& table) {
  const std::string group = measure_title(one.axis);
  table.columns.push_back({.heading = "mean\u00a0\u00b1\u00a0SD", .group = group});
  table.columns.push_back({.heading = "quartiles", .group = group});
  if (!one.published) return;
  table.columns.push_back({.heading = "published", .group = group});
  table.columns.push_back({.heading = "difference", .group = group});
}

TableCell quartile_cell(const std::optional<evaluate::Quartiles>& middle, const MeasureAxis& axis) {
  if (!middle) return {};
  return fixed_label(axis.factor * middle->lower, axis.decimals) + " \u2013 " +
         fixed_label(axis.factor * middle->upper, axis.decimals);
}

// Numbers whose unit stands in the heading.
MeasureAxis without_unit(MeasureAxis axis) {
  axis.unit.clear();
  return axis;
}

void append_cells(const StudyResult& result, const NamedValues& setting, const MeasureColumns& one,
                  std::vector<TableCell>& row) {
  const ResultTable& table = table_of(result, main_table(result.study));
  const MeasureAxis axis = without_unit(one.axis);
  const auto measured = evaluate::measured(table, setting, one.measure);
  const evaluate::Summary summary = evaluate::summarise(measured.values);
  row.push_back(summary.mean ? TableCell(mean_words(summary.mean, summary.sd, axis)) : TableCell());
  row.push_back(quartile_cell(evaluate::quartiles(measured.values), axis));
  if (!one.published) return;
  const PublishedValue* published = published_at(result, table, setting, one.measure);
  row.push_back(published_cell(published, axis));
  row.push_back(difference_cell(summary.mean, published, axis));
}

std::size_t participants_at(const ResultTable& table, const NamedValues& setting, const std::string& measure) {
  return evaluate::summarise(evaluate::measured(table, setting, measure).values).count;
}

bool compares(const Claim& claim) { return claim.kind == ClaimKind::greater || claim.kind == ClaimKind::alike; }

void append_test(const ResultTable& results, const Claim& claim, Table& table) {
  const auto first = measured_at(results, claim.setting, claim.measure);
  const auto second = measured_at(results, claim.other, claim.measure);
  if (first.values.size() != second.values.size()) return;
  const auto test = evaluate::wilcoxon_signed_rank(first.values, second.values);
  const MeasureAxis axis = measure_axis(claim.measure);
  std::vector<std::optional<double>> differences;
  for (std::size_t k = 0; k < first.values.size(); ++k) {
    const bool both = first.values[k] && second.values[k];
    differences.push_back(both ? std::optional(*first.values[k] - *second.values[k]) : std::nullopt);
  }
  const evaluate::Summary mean = evaluate::summarise(differences);
  if (!mean.mean) return;
  const std::vector<std::string> names = setting_names({claim.setting, claim.other});
  table.rows.push_back({names[0] + " vs " + names[1], axis.title, difference_words(*mean.mean, axis),
                        std::optional(static_cast<double>(mean.count)),
                        test ? p_cell(test->p) : TableCell("no difference")});
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
  plotted.quartiles = evaluate::quartiles(measured.values);
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

Table headline_table(const std::vector<StudyResult>& studies) {
  Table table{
      .caption =
          "Results of this run (mean \u00b1 standard deviation over participants) beside the published ones, which "
          "were obtained with CCA (pp: percentage points)",
      .columns = {{.heading = "result", .numbers = false},
                  {.heading = "ours"},
                  {.heading = "published"},
                  {.heading = "difference"},
                  {.heading = "in the paper", .numbers = false}}};
  for (const StudyResult& result : studies) {
    if (result.obstacle.empty()) append_headlines(result, table);
  }
  return table;
}

Table setting_table(const StudyResult& result) {
  const ResultTable& results = table_of(result, main_table(result.study));
  const std::vector<NamedValues> settings = distinct_settings(results, setting_columns(result));
  const std::vector<std::string> names = setting_names(settings);
  const std::vector<MeasureColumns> measures = measure_columns(result);
  Table table{.caption = "All settings; n is the number of participants",
              .columns = {{.heading = "setting", .numbers = false}, {.heading = "n", .decimals = 0}},
              .folded = settings.size() > most_open_rows};
  if (table.folded) table.caption += " (" + counted(settings.size(), "row") + ")";
  for (const MeasureColumns& one : measures) append_columns(one, table);
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const std::size_t count = measures.empty() ? 0 : participants_at(results, settings[k], measures.front().measure);
    std::vector<TableCell> row{names[k], std::optional(static_cast<double>(count))};
    for (const MeasureColumns& one : measures) append_cells(result, settings[k], one, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table test_table(const StudyResult& result) {
  Table table{.caption = "Two-sided Wilcoxon signed-rank tests over the participants with results for both settings",
              .columns = {{.heading = "comparison", .numbers = false},
                          {.heading = "measure", .numbers = false},
                          {.heading = "mean difference"},
                          {.heading = "n", .decimals = 0},
                          {.heading = "p"}},
              .folded = true};
  const ResultTable* results = result.find(main_table(result.study));
  for (const Claim& claim : result.study.claims) {
    if (results != nullptr && compares(claim)) append_test(*results, claim, table);
  }
  return table;
}

Verdicts verdicts_of(const StudyResult& result) {
  Verdicts list;
  const ResultTable* results = result.find(main_table(result.study));
  for (const Claim& claim : result.study.claims) {
    const evaluate::ClaimVerdict verdict =
        results != nullptr ? evaluate::judge(claim, *results) : evaluate::ClaimVerdict{};
    list.verdicts.push_back({verdict.holds, claim.text, verdict.evidence, claim.place});
  }
  return list;
}

}  // namespace heed::report
