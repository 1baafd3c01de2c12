// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <io/discovery.h>
#include <io/score_tables/sidecar.h>
#include <io/score_tables/window_table.h>
#include <io/text_file.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heed::io {
namespace {

bool is_observed(std::span<const double> scores) {
  return std::ranges::none_of(scores, [](double score) { return std::isnan(score); });
}

// As heed writes posteriors: a decision, and probabilities for every window. Correlations do not sum to one row by row.
bool is_posterior_table(const WindowTable& table) {
  constexpr double rounding = 0.02;  // of two decimals
  if (table.decisions.empty() || table.rows == 0) return false;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const auto row = table.row(i);
    if (!std::ranges::all_of(row, [](double p) { return p >= 0 && p <= 1; })) return false;
    if (!(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= rounding)) return false;
  }
  return true;
}

// Trial `index` on its grid: windows without a row stay missing, with an unknown label.
ScoredTrial make_trial(const WindowTable& table, const WindowGrid& grid, std::size_t index) {
  const TrialRows& rows = table.trials[index];
  const Index windows = grid.windows[index];
  const auto columns = static_cast<Index>(table.columns());
  ScoredTrial trial{
      rows.name,
      grid.onsets[index],
      {Matrix::Constant(windows, columns, std::numeric_limits<double>::quiet_NaN()), grid.window, grid.hop},
      {std::vector<Speaker>(static_cast<std::size_t>(windows), unknown_speaker)}};
  for (std::size_t i = rows.first; i < rows.first + rows.count; ++i) {
    const Index place = grid.places[i];
    if (!table.attended.empty()) trial.attention.attended[static_cast<std::size_t>(place)] = table.attended[i];
    if (is_observed(table.row(i))) std::ranges::copy(table.row(i), trial.scores.values.row(place).begin());
  }
  return trial;
}

ScoreFile scores_of(TsvReader reader, std::optional<std::string_view> sidecar_text, const ScoreReadOptions& options) {
  const Sidecar sidecar = parse_sidecar(sidecar_text);
  const WindowTable table = read_window_table(std::move(reader), options.states);
  if (options.states.empty() && !options.probabilities && is_posterior_table(table)) {
    throw Error(
        ErrorKind::bad_data,
        "these are posteriors, not scores: every row sums to one and has a decision. Give the scores they were "
        "made from (posteriors are evaluated as they are), or the emission probability if a classifier made them");
  }
  ScoreFile result;
  const WindowGrid grid = lay_windows(table, sidecar.lengths, result.warnings);

  bool any_observed = false;
  for (std::size_t i = 0; i < table.rows && !any_observed; ++i) any_observed = is_observed(table.row(i));
  if (!any_observed) throw Error(ErrorKind::bad_data, "every window is missing: each row has n/a for a score");

  result.participant.speakers = table.speakers;
  result.participant.features = table.features;
  result.participant.type = sidecar.type;
  for (std::size_t k = 0; k < table.trials.size(); ++k) result.participant.trials.push_back(make_trial(table, grid, k));
  return result;
}

}  // namespace

ScoreFile parse_scores(std::string_view table_text, std::optional<std::string_view> sidecar_text,
                       const ScoreReadOptions& options) {
  return scores_of(TsvReader(table_text), sidecar_text, options);
}

ScoreFile read_scores(const std::filesystem::path& path, const ScoreReadOptions& options) {
  return read_participant(
      path, [&](TsvReader table, const auto& sidecar) { return scores_of(std::move(table), sidecar, options); });
}

void write_scores(const std::filesystem::path& path, const ScoredParticipant& participant,
                  const ScoreWriteOptions& options) {
  std::vector<TrialColumns> trials;
  for (const ScoredTrial& trial : participant.trials) {
    trials.push_back({.name = trial.name,
                      .onset = trial.onset,
                      .window = trial.scores.window,
                      .hop = trial.scores.hop,
                      .values = &trial.scores.values,
                      .attended = trial.attention.attended,
                      .decisions = {}});
  }
  const std::string table = table_text(participant.speakers, trials, options.digits);
  write_with_sidecar(path, table, score_sidecar(participant, options));
}

}  // namespace heed::io
