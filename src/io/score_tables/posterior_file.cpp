// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <io/discovery.h>
#include <io/score_tables/sidecar.h>
#include <io/score_tables/window_table.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::io {
namespace {

Error bad_row(std::size_t row, const std::string& problem) {
  return {ErrorKind::bad_data, "row " + std::to_string(row_in_file(row)) + ": " + problem};
}

// Each probability is rounded by at most half a unit of its last significant digit: together by at
// most 5 x 10^-digits of their sum. A thousandth is granted to files of other programs.
double sum_tolerance(std::optional<int> digits) {
  constexpr double granted = 1e-3;
  if (!digits) return granted;
  return std::max(granted, 5 * std::pow(10.0, -*digits));
}

void check_probabilities(const WindowTable& table, double tolerance) {
  constexpr double rounding = 1e-9;  // of the comparison itself
  for (std::size_t i = 0; i < table.rows; ++i) {
    const auto row = table.row(i);
    if (!std::ranges::all_of(row, [](double p) { return p >= 0 && p <= 1; })) {
      throw bad_row(i, "a posterior is a probability from 0 to 1, never n/a");
    }
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (std::abs(sum - 1) > tolerance + rounding) {
      throw bad_row(i, "the probabilities sum to " + number_text(sum) + ", not to 1");
    }
  }
}

void check_decisions(const WindowTable& table) {
  if (table.decisions.empty()) {
    throw Error(ErrorKind::bad_data, "row 1: the column decision is missing; it names the speaker decided for");
  }
  const auto undecided = std::ranges::find(table.decisions, unknown_speaker);
  if (undecided != table.decisions.end()) {
    throw bad_row(static_cast<std::size_t>(undecided - table.decisions.begin()), "every window needs a decision");
  }
}

// A tracker answers for every window, so a gap means lost rows.
void check_no_gaps(const WindowTable& table, const WindowGrid& grid) {
  for (const TrialRows& trial : table.trials) {
    for (std::size_t i = 0; i < trial.count; ++i) {
      if (grid.places[trial.first + i] == static_cast<Index>(i)) continue;
      throw bad_row(trial.first + i, "windows are missing before it; a posterior file has a row for every window");
    }
  }
}

// Without gaps row i of the trial is window i.
TrackedTrial make_trial(const WindowTable& table, const WindowGrid& grid, std::size_t index) {
  const TrialRows& rows = table.trials[index];
  const auto first = static_cast<std::ptrdiff_t>(rows.first);
  const auto last = first + static_cast<std::ptrdiff_t>(rows.count);
  TrackedTrial trial;
  trial.name = rows.name;
  trial.onset = grid.onsets[index];
  trial.posteriors.values.resize(grid.windows[index], static_cast<Index>(table.speakers.size()));
  trial.posteriors.window = trial.decisions.window = grid.window;
  trial.posteriors.hop = trial.decisions.hop = grid.hop;
  for (std::size_t i = 0; i < rows.count; ++i) {
    std::ranges::copy(table.row(rows.first + i), trial.posteriors.values.row(static_cast<Index>(i)).begin());
  }
  trial.decisions.states.assign(table.decisions.begin() + first, table.decisions.begin() + last);
  trial.attention.attended.assign(rows.count, unknown_speaker);
  if (!table.attended.empty()) {
    trial.attention.attended.assign(table.attended.begin() + first, table.attended.begin() + last);
  }
  return trial;
}

PosteriorFile posteriors_of(TsvReader reader, std::optional<std::string_view> sidecar_text) {
  const Sidecar sidecar = parse_sidecar(sidecar_text);
  const WindowTable table = read_window_table(std::move(reader));
  check_decisions(table);
  check_probabilities(table, sum_tolerance(sidecar.digits));
  PosteriorFile result;
  const WindowGrid grid = lay_windows(table, sidecar.lengths, result.warnings);
  check_no_gaps(table, grid);

  result.participant.speakers = table.speakers;
  result.participant.look_ahead = sidecar.look_ahead.value_or(Seconds{0});
  for (std::size_t k = 0; k < table.trials.size(); ++k) result.participant.trials.push_back(make_trial(table, grid, k));
  return result;
}

}  // namespace

PosteriorFile parse_posteriors(std::string_view table_text, std::optional<std::string_view> sidecar_text) {
  return posteriors_of(TsvReader(table_text), sidecar_text);
}

PosteriorFile read_posteriors(const std::filesystem::path& path) { return read_participant(path, posteriors_of); }

void write_posteriors(const std::filesystem::path& path, const TrackedParticipant& participant,
                      const PosteriorWriteOptions& options) {
  std::vector<TrialColumns> trials;
  for (const TrackedTrial& trial : participant.trials) {
    trials.push_back({.name = trial.name,
                      .onset = trial.onset,
                      .window = trial.posteriors.window,
                      .hop = trial.posteriors.hop,
                      .values = &trial.posteriors.values,
                      .attended = trial.attention.attended,
                      .decisions = trial.decisions.states});
  }
  const std::string table = table_text(participant.speakers, trials, options.digits);
  write_with_sidecar(path, table, posterior_sidecar(participant, options));
}

}  // namespace heed::io
