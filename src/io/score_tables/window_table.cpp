// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/score_tables/window_table.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <limits>
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
      throw reader.error(c,
                         "looks like the reserved column '" + std::string(reserved) + "'; write it in small letters");
    }
    if (name == missing_cell) throw reader.error(c, "a speaker cannot be called n/a");
    columns.speakers.push_back(c);
  }
  return columns;
}

class TableBuilder {
 public:
  TableBuilder(std::string_view text, std::span<const std::string> states)
      : reader_(text),
        columns_(find_columns(reader_)),
        lines_(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1) {
    table_.speakers.assign(states.begin(), states.end());
  }

  WindowTable build() {
    table_.speakers.empty() ? name_speakers() : name_features();
    table_.values.reserve(lines_ * columns_.speakers.size());
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
                                         "; at least two are needed. Every column but onset, duration, trial, "
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
                "row 1: no feature column. Every column but onset, duration, trial, attended and decision is a "
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
    if (!seen_trials_.insert(name).second) {
      throw reader_.error(*columns_.trial, "trial " + in_quotes(name) +
                                               " comes back after another one; keep the rows of a trial together");
    }
    table_.trials.push_back({std::string(name), table_.rows, 1});
  }

  TsvReader reader_;
  Columns columns_;
  std::size_t lines_;
  WindowTable table_;
  std::set<std::string_view> seen_trials_;
};

}  // namespace

WindowTable read_window_table(std::string_view text, std::span<const std::string> states) {
  return TableBuilder(text, states).build();
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

}  // namespace heed::io
