// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/page/result_pages.h>
#include <report/study/result_tables.h>
#include <report/study/setting_words.h>
#include <report/study/trace_picture.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::report {
namespace {

constexpr double shown_before = 60;  // seconds
constexpr double shown_after = 90;
constexpr double shown_beyond = 20;  // the last detection

struct TraceColumns {
  explicit TraceColumns(const ResultTable& table)
      : onset(table.column("onset")),
        duration(table.column("duration")),
        attended(table.column("attended")),
        first_speaker(table.column("decision") + 1) {}
  std::size_t onset;
  std::size_t duration;
  std::size_t attended;
  std::size_t first_speaker;
};

Speaker speaker_named(const std::vector<std::string>& speakers, const TableValue& value) {
  const auto found = std::ranges::find(speakers, data::text_of(value));
  return found == speakers.end() ? unknown_speaker : static_cast<Speaker>(found - speakers.begin());
}

using Rows = std::vector<const std::vector<TableValue>*>;

Rows rows_at(const ResultTable& table, const NamedValues& setting) {
  Rows rows;
  for (const auto& row : table.rows) {
    const bool belongs =
        std::ranges::all_of(setting, [&](const NamedValue& one) { return row[table.column(one.name)] == one.value; });
    if (belongs) rows.push_back(&row);
  }
  return rows;
}

Matrix posteriors_in(const Rows& rows, const TraceColumns& columns, std::size_t speakers) {
  Matrix posteriors(static_cast<Index>(rows.size()), static_cast<Index>(speakers));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t k = 0; k < speakers; ++k) {
      posteriors(static_cast<Index>(row), static_cast<Index>(k)) =
          number_in((*rows[row])[columns.first_speaker + k]).value_or(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return posteriors;
}

// Onsets and labels, of the first method.
void read_windows(const Rows& rows, const TraceColumns& columns, const std::vector<std::string>& speakers,
                  TracedTrial& trial) {
  for (const auto* row : rows) {
    trial.onsets.push_back(number_in((*row)[columns.onset]).value_or(0));
    trial.attended.push_back(speaker_named(speakers, (*row)[columns.attended]));
  }
  if (!rows.empty()) trial.window = number_in((*rows.front())[columns.duration]).value_or(1);
}

// "sub-07, trial 1"; a trial that is named after its participant says so itself.
std::string trial_name(const std::string& participant, const std::string& trial) {
  return trial.starts_with(participant) ? trial : participant + ", trial " + trial;
}

TracedTrial read_trial(const ResultTable& table, const NamedValues& which, const std::vector<std::string>& speakers) {
  const TraceColumns columns(table);
  const std::string participant = participant_name(data::text_of(which[0].value));
  TracedTrial trial{.name = trial_name(participant, data::text_of(which[1].value))};
  for (const NamedValues& tracker : distinct_settings(table, {"tracker"}, which)) {
    const Rows rows = rows_at(table, joined(which, tracker));
    if (trial.methods.empty()) read_windows(rows, columns, speakers, trial);
    if (rows.size() != trial.onsets.size()) {
      throw Error(ErrorKind::bad_data, "trace of " + trial.name + ": " + std::to_string(rows.size()) + " windows of " +
                                           data::text_of(tracker.front().value) + ", but " +
                                           std::to_string(trial.onsets.size()) + " of the first method; give the same");
    }
    trial.methods.push_back({value_words(tracker.front()), posteriors_in(rows, columns, speakers.size())});
  }
  return trial;
}

// The window of the first change of attention, where there is one.
std::optional<std::size_t> first_switch(const TracedTrial& trial) {
  Speaker last = unknown_speaker;
  for (std::size_t k = 0; k < trial.attended.size(); ++k) {
    const Speaker now = trial.attended[k];
    if (now == unknown_speaker) continue;
    if (last != unknown_speaker && now != last) return k;
    last = now;
  }
  return std::nullopt;
}

// Seconds after the switch at window `at` until the last method believes the new speaker most.
double detected_by_all(const TracedTrial& trial, std::size_t at) {
  double latest = 0;
  for (const MethodTrace& method : trial.methods) {
    for (std::size_t k = at; k < trial.attended.size() && trial.attended[k] == trial.attended[at]; ++k) {
      Index believed = 0;
      method.posteriors.row(static_cast<Index>(k)).maxCoeff(&believed);
      if (believed != trial.attended[at]) continue;
      latest = std::max(latest, trial.onsets[k] - trial.onsets[at]);
      break;
    }
  }
  return latest;
}

std::string json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

template <typename Values, typename Write>
std::string json_list(const Values& values, Write write) {
  std::string list = "[";
  for (const auto& value : values) list += (list.size() > 1 ? "," : "") + write(value);
  return list + "]";
}

std::string thousandths(double seconds) { return data::text_of(TableValue(std::round(1000 * seconds) / 1000)); }

std::string json_beliefs(const Matrix& posteriors) {
  constexpr double parts = 10000;
  std::string list = "[";
  for (Index k = 0; k < posteriors.cols(); ++k) {
    list += k == 0 ? "[" : ",[";
    for (Index row = 0; row < posteriors.rows(); ++row) {
      const double value = posteriors(row, k);
      list += (row == 0 ? "" : ",") + (std::isfinite(value) ? std::to_string(std::lround(parts * value)) : "null");
    }
    list += "]";
  }
  return list + "]";
}

std::string json_trial(const TracedTrial& trial) {
  const auto middle = [&](double onset) { return thousandths(onset + (trial.window / 2)); };
  return "{\"name\":" + json_text(trial.name) + ",\"window\":" + thousandths(trial.window) +
         ",\"time\":" + json_list(trial.onsets, middle) +
         ",\"attended\":" + json_list(trial.attended, [](Speaker one) { return std::to_string(one); }) +
         ",\"methods\":" +
         json_list(trial.methods,
                   [](const MethodTrace& one) {
                     return "{\"name\":" + json_text(one.name) + ",\"beliefs\":" + json_beliefs(one.posteriors) + "}";
                   }) +
         "}";
}

}  // namespace

TracedTrials read_traces(const ResultTable& table) {
  const TraceColumns columns(table);
  TracedTrials traces;
  for (std::size_t k = columns.first_speaker; k < table.columns.size(); ++k)
    traces.speakers.push_back(table.columns[k]);
  for (const NamedValues& which : distinct_settings(table, {"participant", "trial"})) {
    traces.trials.push_back(read_trial(table, which, traces.speakers));
  }
  if (traces.trials.empty() || traces.speakers.empty()) {
    throw Error(ErrorKind::bad_data, "the table 'trace' has no window or no speaker, so there is nothing to draw");
  }
  return traces;
}

SwitchPicture switch_picture(const TracedTrials& traces) {
  const auto switching =
      std::ranges::find_if(traces.trials, [](const TracedTrial& one) { return first_switch(one).has_value(); });
  const TracedTrial& trial = switching != traces.trials.end() ? *switching : traces.trials.front();
  const std::size_t at = first_switch(trial).value_or(0);
  const double centre = trial.onsets[at];
  const double after = std::max(shown_after, detected_by_all(trial, at) + shown_beyond);
  const auto is_before = [](double time) { return [time](double onset) { return onset < time; }; };
  const auto begin = std::ranges::partition_point(trial.onsets, is_before(centre - shown_before));
  const auto end = std::ranges::partition_point(trial.onsets, is_before(centre + after));
  const auto first = begin - trial.onsets.begin();
  const auto count = end - begin;
  SwitchPicture picture{.speakers = traces.speakers,
                        .attention = {{trial.attended.begin() + first, trial.attended.begin() + first + count}},
                        .onset = Seconds{*begin},
                        .window = Seconds{trial.window},
                        .title = "",
                        .subtitle = trial.name};
  for (const MethodTrace& method : trial.methods) {
    picture.traces.push_back({method.name, method.posteriors.middleRows(first, count)});
  }
  return picture;
}

std::string trace_json(const TracedTrials& traces, const std::string& stamp) {
  return "{\"stamp\":" + json_text(stamp) + ",\"speakers\":" + json_list(traces.speakers, json_text) +
         ",\"trials\":" + json_list(traces.trials, json_trial) + "}";
}

}  // namespace heed::report
