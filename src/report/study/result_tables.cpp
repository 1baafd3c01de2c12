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
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

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

// The decoder of the paper whose scores are most like those of the rows at a setting: one correlation per speaker is
// what least squares gives.
std::string decoder_like(const ResultTable& table, const NamedValues& setting) {
  if (!has_column(table, "scored_by")) return "cca";
  const RowFilter filter(table, setting);
  const auto row = std::ranges::find_if(table.rows, [&](const auto& one) { return filter.holds(one); });
  const std::string scored_by = row != table.rows.end() ? data::text_of((*row)[table.column("scored_by")]) : "cca";
  if (scored_by == "correlations") return "ls";
  return scored_by == "log-odds" ? "cca" : scored_by;
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

std::string decoder_words(const PublishedValue& published) {
  return value_words({.name = "decoder", .value = published.decoder});
}

// Where nothing was published, nothing is missing.
const std::string nothing_published = "\u2013";

// Of scores of another decoder a difference would tell nothing.
TableCell difference_cell(const std::optional<double>& ours, const PublishedValue* published, const MeasureAxis& axis,
                          const std::string& decoder) {
  if (published == nullptr || published->decoder != decoder) return nothing_published;
  if (!ours) return {};
  return difference_words(*ours - published->value, axis);
}

TableCell published_cell(const PublishedValue* published, const MeasureAxis& axis, const std::string& decoder) {
  if (published == nullptr) return nothing_published;
  const std::string mark = published->decoder == decoder ? "" : " (" + decoder_words(*published) + ")";
  return mean_words(published->value, published->sd, axis) + mark;
}

void append_headlines(const StudyResult& result, Table& table) {
  const ResultTable* results = result.find(main_table(result.study));
  if (results == nullptr) return;
  std::vector<NamedValues> settings;
  for (const PublishedValue& one : result.study.published) settings.push_back(one.setting);
  const std::vector<std::string> names = setting_names(settings);
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const PublishedValue& published = result.study.published[k];
    const std::string decoder = decoder_like(*results, published.setting);
    if (!published.headline || published.decoder != decoder || !is_about(*results, published.setting, settings[k])) {
      continue;
    }
    const MeasureAxis axis = measure_axis(published.measure);
    const auto ours = evaluate::summarise(measured_at(*results, published.setting, published.measure).values);
    table.rows.push_back({names[k] + ": " + axis.title, mean_words(ours.mean, ours.sd, axis),
                          published_cell(&published, axis, decoder),
                          difference_cell(ours.mean, &published, axis, decoder), published_place(published)});
  }
}

// Columns of one measure; those of published values only where there are any.
struct MeasureColumns {
  std::string measure{};
  MeasureAxis axis{};
  bool published = false;
};

std::vector<MeasureColumns> measure_columns(const StudyResult& result) {
  const std::string whole = "whole_accuracy";
  std::vector<MeasureColumns> columns;
  std::vector<std::string> measures = shown_measures(result);
  // Accuracy leaves out the time before a switch is noticed: beside it stands that of all windows.
  const auto accuracy = std::ranges::find(measures, "accuracy");
  const bool has_whole = has_column(table_of(result, main_table(result.study)), whole);
  if (accuracy != measures.end() && has_whole && std::ranges::find(measures, whole) == measures.end()) {
    measures.insert(accuracy + 1, whole);
  }
  for (const std::string& measure : measures) {
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
  const std::string decoder = decoder_like(table, setting);
  row.push_back(published_cell(published, axis, decoder));
  row.push_back(difference_cell(summary.mean, published, axis, decoder));
}

std::size_t participants_at(const ResultTable& table, const NamedValues& setting, const std::string& measure) {
  return evaluate::summarise(evaluate::measured(table, setting, measure).values).count;
}

// A method that the axis does not concern has the same numbers all along it: one row, without the place.
void fold_level_rows(const std::vector<NamedValues>& settings, Table& table) {
  const auto series = [&](std::size_t k) { return NamedValues(settings[k].begin(), settings[k].end() - 1); };
  const auto numbers = [&](std::size_t k) { return std::span(table.rows[k]).subspan(1); };
  std::vector<std::vector<TableCell>> rows;
  for (std::size_t begin = 0, end = 0; begin < settings.size(); begin = end) {
    bool level = true;
    for (end = begin + 1; end < settings.size() && series(end) == series(begin); ++end) {
      level = level && std::ranges::equal(numbers(end), numbers(begin));
    }
    level = level && end - begin > 2;
    if (level) table.rows[begin].front() = setting_names({series(begin)}).front();
    for (std::size_t k = begin; k < (level ? begin + 1 : end); ++k) rows.push_back(std::move(table.rows[k]));
  }
  table.rows = std::move(rows);
}

bool compares(const Claim& claim) {
  return claim.kind == ClaimKind::greater || claim.kind == ClaimKind::less || claim.kind == ClaimKind::alike;
}

void append_test(const ResultTable& results, const Claim& claim, Table& table) {
  const auto first = measured_at(results, claim.setting, claim.measure).values;
  const auto second = measured_at(results, claim.other, claim.measure).values;
  if (first.size() != second.size()) return;
  std::vector<std::optional<double>> differences;
  std::vector<double> ours;
  std::vector<double> others;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (first[k] && second[k]) differences.emplace_back(*first[k] - *second[k]);
    if (first[k]) ours.push_back(*first[k]);
    if (second[k]) others.push_back(*second[k]);
  }
  const auto mean = evaluate::summarise(first).mean;
  const auto other = evaluate::summarise(second).mean;
  if (!mean || !other) return;
  const bool paired = !differences.empty();
  std::optional<double> p;
  if (const auto test = evaluate::wilcoxon_signed_rank(first, second); paired && test) p = test->p;
  if (const auto test = evaluate::wilcoxon_rank_sum(ours, others); !paired && test) p = test->p;
  const double difference = paired ? *evaluate::summarise(differences).mean : *mean - *other;
  const std::size_t count = paired ? differences.size() : ours.size() + others.size();
  const MeasureAxis axis = measure_axis(claim.measure);
  const std::vector<std::string> names = setting_names({claim.setting, claim.other});
  table.rows.push_back({names[0] + " vs " + names[1] + (paired ? "" : " (different listeners)"), axis.title,
                        difference_words(difference, axis), std::optional(static_cast<double>(count)),
                        p ? p_cell(*p) : TableCell("no difference")});
}

}  // namespace

std::string published_place(const PublishedValue& published) {
  const std::string decoder = decoder_words(published);
  return published.place.empty() ? decoder : published.place + " (" + decoder + ")";
}

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
  const std::string decoder = decoder_like(table, setting);
  const PublishedValue* best = nullptr;
  for (const PublishedValue& one : result.study.published) {
    if (one.measure != measure || !is_about(table, one.setting, setting)) continue;
    if (one.decoder == decoder) return &one;
    if (best == nullptr && one.any_decoder) best = &one;
  }
  return best;
}

std::optional<PublishedMark> published_mark(const PublishedValue* published) {
  if (published == nullptr) return std::nullopt;
  return PublishedMark{published->value, published_place(*published)};
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
          "Results of this run (mean \u00b1 standard deviation over participants) beside those published for the same "
          "decoder (pp: percentage points)",
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
              .columns = {{.heading = "setting", .numbers = false}, {.heading = "n", .decimals = 0}}};
  for (const MeasureColumns& one : measures) append_columns(one, table);
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const std::size_t count = measures.empty() ? 0 : participants_at(results, settings[k], measures.front().measure);
    std::vector<TableCell> row{names[k], std::optional(static_cast<double>(count))};
    for (const MeasureColumns& one : measures) append_cells(result, settings[k], one, row);
    table.rows.push_back(std::move(row));
  }
  if (result.study.figure.picture == StudyPicture::sweep) fold_level_rows(settings, table);
  table.folded = table.rows.size() > most_open_rows;
  if (table.folded) table.caption += " (" + counted(table.rows.size(), "row") + ")";
  return table;
}

Table test_table(const StudyResult& result) {
  Table table{
      .caption =
          "Two-sided Wilcoxon tests: signed-rank over the participants with results for both settings, rank-sum "
          "between different listeners",
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

Table frontier_table(const StudyResult& result) {
  constexpr std::array times{10.0, 30.0, 60.0};
  constexpr std::array accuracies{0.8, 0.9, 0.95};
  const ResultTable& results = table_of(result, "tracking");
  const std::vector<NamedValues> series = distinct_settings(results, result.study.figure.series);
  const std::vector<std::string> names = setting_names(series);
  Table table{
      .caption =
          "Frontiers: the best accuracy within a time, and the least time for an accuracy, over all "
          "operating points, with 95 % intervals over the listeners (or over the seeds, where they are wider); \u221e: "
          "a cohort like this one may never reach it",
      .columns = {{.heading = "method", .numbers = false}}};
  for (const double time : times) {
    table.columns.push_back({.heading = "within " + number_label(time) + " s", .group = "accuracy (%)"});
  }
  for (const double accuracy : accuracies) {
    table.columns.push_back({.heading = "for " + number_label(100 * accuracy) + " %", .group = "time (s)"});
  }
  const auto cell = [](const std::optional<evaluate::Interval>& one, double factor) {
    if (!one) return TableCell(nothing_published);
    const auto shown = [&](double value) {
      return std::isfinite(value) ? fixed_label(factor * value, 1) : std::string("\u221e");
    };
    return TableCell(shown(one->value) + " (" + shown(one->lower) + "\u2013" + shown(one->upper) + ")");
  };
  for (std::size_t k = 0; k < series.size(); ++k) {
    const evaluate::OperatingPoints points = frontier_points(result, series[k]);
    if (points.size() < 2) continue;
    std::vector<TableCell> row{names[k]};
    for (const auto& one : evaluate::frontier_at(points, times)) row.push_back(cell(one, 100));
    for (const auto& one : evaluate::frontier_times(points, accuracies)) row.push_back(cell(one, 1));
    table.rows.push_back(std::move(row));
  }
  return table;
}

evaluate::ClaimVerdict verdict_of(const Claim& claim, const StudyResult& result) {
  if (claim.other.empty()) return evaluate::judge(claim, result);
  const std::vector<std::string> names = setting_names({claim.setting, claim.other});
  return evaluate::judge(claim, result, {names[0], names[1]});
}

Verdicts verdicts_of(const StudyResult& result, std::span<const std::string> others) {
  Verdicts list;
  for (const Claim& claim : result.study.claims) {
    const evaluate::ClaimVerdict verdict = verdict_of(claim, result);
    std::string elsewhere;
    for (const KnownVerdict& one : claim.known) {
      if (std::ranges::find(others, one.cohort) == others.end()) continue;
      elsewhere += (elsewhere.empty() ? "" : ", ") + one.cohort + " " + std::string(verdict_words(one.holds));
    }
    list.verdicts.push_back({verdict.holds, claim.text, verdict.evidence, claim.place, elsewhere});
  }
  return list;
}

}  // namespace heed::report
