// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/score_tables/window_table.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace heed::io {
namespace {

constexpr std::array<std::string_view, 5> reserved_columns{"onset", "duration", "trial", "attended", "decision"};

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

// Which column of the file holds what.
struct Columns {
  std::optional<std::size_t> onset;
  std::optional<std::size_t> duration;
  std::optional<std::size_t> trial;
  std::optional<std::size_t> attended;
  std::optional<std::size_t> decision;
  std::vector<std::size_t> speakers;
};

Columns find_columns(const TsvReader& reader) {
  Columns columns{reader.find("onset"),    reader.find("duration"), reader.find("trial"),
                  reader.find("attended"), reader.find("decision"), {}};
  for (std::size_t c = 0; c < reader.names().size(); ++c) {
    const std::string_view name = reader.names()[c];
    const std::string_view reserved = reserved_like(name);
    if (name == reserved) continue;
    if (!reserved.empty()) {
      throw reader.error(c, "looks like the reserved column '" + std::string(reserved) + "'; write it in lower case");
    }
    if (name == missing_cell) throw reader.error(c, "a speaker cannot be called n/a");
    columns.speakers.push_back(c);
  }
  return columns;
}

class TableBuilder {
 public:
  TableBuilder(TsvReader reader, std::span<const std::string> states)
      : reader_(std::move(reader)), columns_(find_columns(reader_)) {
    table_.speakers.assign(states.begin(), states.end());
  }

  WindowTable build() {
    table_.speakers.empty() ? name_speakers() : name_features();
    while (reader_.next()) {
      add_row();
      ++table_.rows;
    }
    if (table_.rows == 0) throw Error(ErrorKind::bad_data, "the file has a header but no windows");
    return std::move(table_);
  }

 private:
  void name_speakers() {
    for (const std::size_t c : columns_.speakers) table_.speakers.emplace_back(reader_.names()[c]);
    if (table_.speakers.size() >= 2) return;
    const std::string found =
        table_.speakers.empty() ? "no speaker column" : "one speaker column (" + table_.speakers[0] + ")";
    throw Error(ErrorKind::bad_data, "row 1: " + found +
                                         "; at least two are needed. Every column except onset, duration, trial, "
                                         "attended and decision is a speaker; columns are separated by tabs");
  }

  void name_features() {
    const std::set<std::string_view> different(table_.speakers.begin(), table_.speakers.end());
    const bool names = different.size() == table_.speakers.size() && table_.speakers.size() >= 2 &&
                       !different.contains("") && !different.contains(missing_cell);
    if (!names)
      throw Error(ErrorKind::invalid_argument, "states must be two or more different names, none of them n/a");
    for (const std::size_t c : columns_.speakers) table_.features.emplace_back(reader_.names()[c]);
    if (!table_.features.empty()) return;
    throw Error(ErrorKind::bad_data,
                "row 1: no feature column. Every column except onset, duration, trial, attended and decision is a "
                "feature; columns are separated by tabs");
  }

  void add_row() {
    for (const std::size_t c : columns_.speakers) table_.values.push_back(value(c));
    if (columns_.onset) table_.onsets.push_back(onset(*columns_.onset));
    if (columns_.duration) table_.durations.push_back(reader_.number(*columns_.duration).value_or(not_there));
    if (columns_.attended) table_.attended.push_back(speaker(*columns_.attended));
    if (columns_.decision) table_.decisions.push_back(speaker(*columns_.decision));
    add_to_trial();
  }

  // -inf is evidence (impossible) where scores are log-likelihoods; +inf and nan mean nothing.
  [[nodiscard]] double value(std::size_t column) const {
    if (reader_.cell(column) == "-inf") return -std::numeric_limits<double>::infinity();
    return reader_.number(column).value_or(not_there);
  }

  [[nodiscard]] double onset(std::size_t column) const {
    const auto seconds = reader_.number(column);
    if (!seconds) throw reader_.error(column, "every window needs its onset in seconds; or leave the column out");
    return *seconds;
  }

  [[nodiscard]] Speaker speaker(std::size_t column) const {
    const std::string_view name = reader_.cell(column);
    if (name == missing_cell) return unknown_speaker;
    const auto found = std::ranges::find(table_.speakers, name);
    if (found == table_.speakers.end()) {
      throw reader_.error(column,
                          in_quotes(name) + " is not a speaker; write one of " + listed(table_.speakers) + ", or n/a");
    }
    return static_cast<Speaker>(found - table_.speakers.begin());
  }

  void add_to_trial() {
    const std::string_view name = columns_.trial ? reader_.cell(*columns_.trial) : std::string_view{};
    if (!table_.trials.empty() && table_.trials.back().name == name) {
      ++table_.trials.back().count;
      return;
    }
    if (columns_.trial && (name.empty() || name == missing_cell)) {
      throw reader_.error(*columns_.trial, "every row needs the name of its trial; or leave the column out");
    }
    if (!seen_trials_.emplace(name).second) {
      throw reader_.error(*columns_.trial, "trial " + in_quotes(name) +
                                               " continues after another trial; keep the rows of a trial together");
    }
    table_.trials.push_back({std::string(name), table_.rows, 1});
  }

  TsvReader reader_;
  Columns columns_;
  WindowTable table_;
  std::set<std::string> seen_trials_;
};

// Onsets are often rounded (0, 0.333, 0.667, 1). A row may lie this far from its place, in windows...
constexpr double jitter = 0.05;
// ... but steps that differ by more than this from the hop on average are not windows in a row.
constexpr double length_tolerance = 0.01;

Error bad_cell(std::size_t row, const std::string& column, const std::string& problem) {
  return {ErrorKind::bad_data, "row " + std::to_string(row_in_file(row)) + ", column " + column + ": " + problem};
}

std::string seconds_text(double seconds) { return number_text(seconds, 9) + " s"; }

std::optional<double> duration_of(const WindowTable& table) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < table.durations.size(); ++i) {
    const double duration = table.durations[i];
    if (std::isnan(duration)) continue;
    if (!(duration > 0)) throw bad_cell(i, "duration", "a window must last longer than 0 s");
    if (!first) first = i;
    const double expected = table.durations[*first];
    if (std::abs(duration - expected) > length_tolerance * expected) {
      throw bad_cell(i, "duration",
                     seconds_text(duration) + ", but " + seconds_text(expected) + " in row " +
                         std::to_string(row_in_file(*first)) + "; all windows of a file have one length");
    }
  }
  if (!first) return std::nullopt;
  return table.durations[*first];
}

// Between neighbouring rows of a trial, in order of size. Steps that do not go forward are left to place_rows.
std::vector<double> forward_steps(const WindowTable& table) {
  std::vector<double> steps;
  if (table.onsets.empty()) return steps;
  for (const TrialRows& trial : table.trials) {
    for (std::size_t i = trial.first + 1; i < trial.first + trial.count; ++i) {
      const double step = table.onsets[i] - table.onsets[i - 1];
      if (step > 0 && std::isfinite(step)) steps.push_back(step);
    }
  }
  std::ranges::sort(steps);
  return steps;
}

// The mean of the largest group of nearly equal steps; the shorter of two as large. Rounded to nine
// digits, so that 0.1, 0.2, 0.30000000000000004 give 0.1.
std::optional<double> commonest_step(const std::vector<double>& steps) {
  std::size_t best_begin = 0;
  std::size_t best_count = 0;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < steps.size(); ++begin) {
    while (end < steps.size() && steps[end] <= (1 + (2 * length_tolerance)) * steps[begin]) ++end;
    if (end - begin > best_count) {
      best_begin = begin;
      best_count = end - begin;
    }
  }
  if (best_count == 0) return std::nullopt;
  const auto first = steps.begin() + static_cast<std::ptrdiff_t>(best_begin);
  const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(best_count), 0.0);
  return parse_number(number_text(sum / static_cast<double>(best_count), 9));
}

bool nearly(double a, double b) { return std::abs(a - b) <= length_tolerance * b; }

double window_length(const WindowTable& table, std::optional<Seconds> sidecar_window, std::optional<double> step,
                     std::vector<std::string>& warnings) {
  if (const auto duration = duration_of(table)) {
    if (sidecar_window && !nearly(sidecar_window->value, *duration)) {
      warnings.push_back("the column duration says " + seconds_text(*duration) + ", the sidecar's WindowLength " +
                         seconds_text(sidecar_window->value) + "; duration is used");
    }
    return *duration;
  }
  if (sidecar_window) return sidecar_window->value;
  if (step) return *step;
  warnings.emplace_back(
      "the window length is not given (no duration, no WindowLength in a sidecar, no two onsets); 1 s is assumed");
  return 1;
}

// Onsets closer together than the windows are long mean overlap from this share of a window on. Less is a mistake.
constexpr double least_overlap = 0.1;

// The sidecar's, else what duration and onsets say together.
double hop_length(double window, std::optional<Seconds> sidecar_hop, std::optional<double> step,
                  std::vector<std::string>& warnings) {
  if (sidecar_hop && sidecar_hop->value > window && !nearly(sidecar_hop->value, window)) {
    throw Error(ErrorKind::bad_data, "the hop of " + seconds_text(sidecar_hop->value) +
                                         " is longer than the window of " + seconds_text(window) +
                                         ", so that time between windows would be skipped; a hop is as long as the "
                                         "window, or shorter where windows overlap");
  }
  if (sidecar_hop) return nearly(sidecar_hop->value, window) ? window : sidecar_hop->value;
  if (!step || *step > (1 - least_overlap) * window) return window;
  warnings.push_back("windows last " + seconds_text(window) + " and begin " + seconds_text(*step) +
                     " apart, so they overlap; a HopLength in the sidecar would say so");
  return *step;
}

// The hop as the onsets have it, free of the rounding of a written length (0.333), whose
// error would grow to whole windows over a long trial. Several hops a step where gaps are the rule.
double onset_grid(double hop, std::optional<double> step) {
  if (!step) return hop;
  const double hops = std::round(*step / hop);
  const bool agrees = hops >= 1 && std::abs(*step - (hops * hop)) <= length_tolerance * hops * hop;
  return agrees ? *step / hops : hop;
}

class RowPlacer {
 public:
  RowPlacer(const WindowTable& table, Seconds window, Seconds hop, double grid)
      : table_(table), grid_(grid), windows_left_(static_cast<double>((10 * table.rows) + 100000)) {
    result_.window = window;
    result_.hop = hop;
    result_.places.reserve(table.rows);
  }

  WindowGrid place() {
    for (const TrialRows& trial : table_.trials) {
      table_.onsets.empty() ? place_consecutively(trial) : place_by_onset(trial);
      result_.windows.push_back(result_.places.back() + 1);
      windows_left_ -= static_cast<double>(result_.windows.back());
    }
    return std::move(result_);
  }

 private:
  void place_consecutively(const TrialRows& trial) {
    result_.onsets.push_back(Seconds{0});
    for (std::size_t i = 0; i < trial.count; ++i) result_.places.push_back(static_cast<Index>(i));
  }

  void place_by_onset(const TrialRows& trial) {
    const double begin = table_.onsets[trial.first];
    result_.onsets.push_back(Seconds{begin});
    result_.places.push_back(0);
    for (std::size_t i = trial.first + 1; i < trial.first + trial.count; ++i) {
      const double position = (table_.onsets[i] - begin) / grid_;
      const double place = std::round(position);
      check(i, position, place);
      result_.places.push_back(static_cast<Index>(place));
    }
  }

  // Row i is not the first of its trial.
  void check(std::size_t i, double position, double place) const {
    const double onset = table_.onsets[i];
    const double before = table_.onsets[i - 1];
    if (!(onset > before)) {
      throw bad_cell(i, "onset",
                     seconds_text(onset) + " does not come after " + seconds_text(before) +
                         " of the row before; where a new trial begins, name it in a column trial");
    }
    const double step = (onset - before) / grid_;
    if (place <= static_cast<double>(result_.places.back()) || step < 1 - (2 * jitter)) {
      throw bad_cell(i, "onset",
                     "the window at " + seconds_text(onset) + " overlaps the one at " + seconds_text(before) + "; " +
                         windows_text());
    }
    if (!(std::abs(position - place) <= jitter)) {
      throw bad_cell(i, "onset",
                     seconds_text(onset) + " is " + seconds_text(onset - before) +
                         " after the row before, which is not a whole number of " + (overlap() ? "hops" : "windows") +
                         " of " + seconds_text(result_.hop.value) + "; correct the onset or leave the row out");
    }
    if (place >= windows_left_) {
      throw bad_cell(i, "onset",
                     "the gap before " + seconds_text(onset) + " would hold " + number_text(step - 1) +
                         " missing windows of " + seconds_text(result_.window.value) + ", too many to be intended");
    }
  }

  [[nodiscard]] bool overlap() const { return result_.hop < result_.window; }
  [[nodiscard]] std::string windows_text() const {
    const std::string lasting = "windows last " + seconds_text(result_.window.value);
    return overlap() ? lasting + " and begin every " + seconds_text(result_.hop.value) : lasting;
  }

  const WindowTable& table_;
  double grid_;
  double windows_left_;  // a bound on what a mistyped onset may cost
  WindowGrid result_;
};

}  // namespace

WindowTable read_window_table(TsvReader table, std::span<const std::string> states) {
  return TableBuilder(std::move(table), states).build();
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string_view reserved_like(std::string_view name) {
  const auto same_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  for (const std::string_view reserved : reserved_columns) {
    if (std::ranges::equal(name, reserved, same_letter)) return reserved;
  }
  return {};
}

WindowGrid lay_windows(const WindowTable& table, const WindowLengths& sidecar, std::vector<std::string>& warnings) {
  const auto step = commonest_step(forward_steps(table));
  const double window = window_length(table, sidecar.window, step, warnings);
  const double hop = hop_length(window, sidecar.hop, step, warnings);
  return RowPlacer(table, Seconds{window}, Seconds{hop}, onset_grid(hop, step)).place();
}

}  // namespace heed::io
