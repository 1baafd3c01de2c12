// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/score_tables/window_grid.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::io {
namespace {

// Onsets are often rounded (0, 0.333, 0.667, 1). A row may lie this far from its place, in windows...
constexpr double jitter = 0.05;
// ... but steps that differ by more than this from the window length on average are not windows end to end.
constexpr double length_tolerance = 0.01;

Error bad_cell(std::size_t row, const std::string& column, const std::string& what) {
  return {ErrorKind::bad_data, "row " + std::to_string(row_in_file(row)) + ", column " + column + ": " + what};
}

std::string seconds_text(double seconds) { return number_text(seconds, 9) + " s"; }

std::optional<double> duration_of(const WindowTable& table) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < table.durations.size(); ++i) {
    const double duration = table.durations[i];
    if (std::isnan(duration)) continue;
    if (!(duration > 0)) throw bad_cell(i, "duration", "a window lasts longer than 0 s");
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

double window_length(const WindowTable& table, std::optional<Seconds> sidecar_window, std::optional<double> step,
                     std::vector<std::string>& warnings) {
  if (const auto duration = duration_of(table)) {
    if (sidecar_window && std::abs(sidecar_window->value - *duration) > length_tolerance * *duration) {
      warnings.push_back("the column duration says " + seconds_text(*duration) + ", the sidecar's WindowLength " +
                         seconds_text(sidecar_window->value) + "; duration is taken");
    }
    return *duration;
  }
  if (sidecar_window) return sidecar_window->value;
  if (step) return *step;
  warnings.emplace_back(
      "nothing tells the window length (no duration, no WindowLength in a sidecar, no two onsets); 1 s is taken");
  return 1;
}

// The window length as the onsets have it, free of the rounding of a written length (0.333), whose
// error would grow to whole windows over a long trial. Several windows a step where gaps are the rule.
double onset_grid(double window, std::optional<double> step) {
  if (!step) return window;
  const double windows = std::round(*step / window);
  const bool agrees = windows >= 1 && std::abs(*step - (windows * window)) <= length_tolerance * windows * window;
  return agrees ? *step / windows : window;
}

class RowPlacer {
 public:
  RowPlacer(const WindowTable& table, double window, double grid)
      : table_(table), window_(window), grid_(grid), windows_left_(static_cast<double>((10 * table.rows) + 100000)) {
    result_.window = Seconds{window};
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
                     "the window at " + seconds_text(onset) + " overlaps the one at " + seconds_text(before) +
                         "; windows last " + seconds_text(window_));
    }
    if (!(std::abs(position - place) <= jitter)) {
      throw bad_cell(i, "onset",
                     seconds_text(onset) + " is " + number_text(step) + " windows of " + seconds_text(window_) +
                         " after the row before; a gap must be a whole number of windows");
    }
    if (place >= windows_left_) {
      throw bad_cell(i, "onset",
                     "the gap before " + seconds_text(onset) + " would hold " + number_text(step - 1) +
                         " missing windows of " + seconds_text(window_) + ", too many to be meant");
    }
  }

  const WindowTable& table_;
  double window_;
  double grid_;
  double windows_left_;  // a bound on what a mistyped onset may cost
  WindowGrid result_;
};

}  // namespace

WindowGrid lay_windows(const WindowTable& table, std::optional<Seconds> sidecar_window,
                       std::vector<std::string>& warnings) {
  const auto step = commonest_step(forward_steps(table));
  const double window = window_length(table, sidecar_window, step, warnings);
  return RowPlacer(table, window, onset_grid(window, step)).place();
}

}  // namespace heed::io
