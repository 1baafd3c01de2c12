// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/result_table_file.h>
#include <study/cohorts/scores_table.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace heed::study {
namespace {

constexpr std::array<std::string_view, 6> leading{"type", "window", "hop", "trial", "onset", "attended"};
constexpr std::string_view failure_mark = "# missing: ";
constexpr std::string_view note_mark = "# note: ";
constexpr std::string_view unnamed = "-";  // a trial without a name

TableValue attended_cell(const ScoredParticipant& participant, Speaker attended) {
  if (attended == unknown_speaker) return {};
  return participant.speakers[static_cast<std::size_t>(attended)];
}

TableValue score_cell(double score) { return score == score ? TableValue(score) : TableValue(); }

void append_trial(ResultTable& table, const ScoredParticipant& participant, const ScoredTrial& trial) {
  for (Index t = 0; t < trial.scores.values.rows(); ++t) {
    std::vector<TableValue> row{std::string(data::name_of(participant.type)),
                                trial.scores.window.value,
                                trial.scores.hop.value,
                                trial.name.empty() ? std::string(unnamed) : trial.name,
                                trial.onset.value,
                                attended_cell(participant, trial.attention.attended[static_cast<std::size_t>(t)])};
    for (Index s = 0; s < trial.scores.values.cols(); ++s) row.push_back(score_cell(trial.scores.values(t, s)));
    table.rows.push_back(std::move(row));
  }
}

double number_in(const TableValue& value) {
  return data::number_in(value).value_or(std::numeric_limits<double>::quiet_NaN());
}

// Rows first ... last-1 are one trial in one window length.
ScoredTrial trial_of(const ResultTable& table, std::size_t first, std::size_t last,
                     const std::vector<std::string>& speakers) {
  ScoredTrial trial;
  const auto& head = table.rows[first];
  const std::string name = data::text_of(head[3]);
  trial.name = name == unnamed ? "" : name;
  trial.onset = {number_in(head[4])};
  trial.scores.window = {number_in(head[1])};
  trial.scores.hop = {number_in(head[2])};
  trial.scores.values.resize(static_cast<Index>(last - first), std::ssize(speakers));
  for (std::size_t row = first; row < last; ++row) {
    const auto who = std::ranges::find(speakers, data::text_of(table.rows[row][5]));
    trial.attention.attended.push_back(who == speakers.end() ? unknown_speaker
                                                             : static_cast<Speaker>(who - speakers.begin()));
    for (std::size_t s = 0; s < speakers.size(); ++s) {
      trial.scores.values(static_cast<Index>(row - first), static_cast<Index>(s)) =
          number_in(table.rows[row][leading.size() + s]);
    }
  }
  return trial;
}

bool same_trial(const std::vector<TableValue>& a, const std::vector<TableValue>& b) {
  return std::equal(a.begin(), a.begin() + 5, b.begin());
}

ResultTable scores_table(std::span<const ScoredParticipant> lengths) {
  ResultTable table;
  table.columns.assign(leading.begin(), leading.end());
  for (const std::string& speaker : lengths.front().speakers) table.columns.push_back(speaker);
  for (const ScoredParticipant& length : lengths) {
    for (const ScoredTrial& trial : length.trials) append_trial(table, length, trial);
  }
  return table;
}

std::vector<ScoredParticipant> scores_of_table(const ResultTable& table, const std::string& id) {
  if (table.columns.size() <= leading.size() || !std::equal(leading.begin(), leading.end(), table.columns.begin())) {
    throw Error(ErrorKind::bad_data, "these are not scores");
  }
  const std::vector<std::string> speakers(table.columns.begin() + leading.size(), table.columns.end());
  std::vector<ScoredParticipant> lengths;
  for (std::size_t first = 0; first < table.rows.size();) {
    std::size_t last = first + 1;
    while (last < table.rows.size() && same_trial(table.rows[first], table.rows[last])) ++last;
    ScoredTrial trial = trial_of(table, first, last, speakers);
    if (lengths.empty() || lengths.back().window() != trial.scores.window) {
      const auto type = data::score_type_named(data::text_of(table.rows[first][0]));
      if (!type) throw Error(ErrorKind::bad_data, "these are not scores");
      lengths.push_back({.id = id, .speakers = speakers, .type = *type});
    }
    lengths.back().trials.push_back(std::move(trial));
    first = last;
  }
  return lengths;
}

// A line before the table; none for an empty text.
std::string marked(std::string_view mark, std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "" : std::string(mark) + text + "\n";
}

std::string take_marked(std::string_view mark, std::string_view& text) {
  if (!text.starts_with(mark)) return "";
  const std::size_t end = std::min(text.find('\n'), text.size() - 1);
  const std::string_view line = text.substr(mark.size(), end - mark.size());
  text.remove_prefix(end + 1);
  return std::string(line);
}

}  // namespace

std::string text_of_scores(const DecodedScores& decoded) {
  return marked(failure_mark, decoded.failure) + marked(note_mark, decoded.note) +
         io::table_text(scores_table(decoded.lengths));
}

DecodedScores parse_scores(std::string_view text, const std::string& id) {
  DecodedScores decoded{.failure = take_marked(failure_mark, text), .note = take_marked(note_mark, text)};
  decoded.lengths = scores_of_table(io::parse_table(text), id);
  return decoded;
}

}  // namespace heed::study
