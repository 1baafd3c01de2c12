// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/result_table_file.h>
#include <study/results/participant_results.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace heed::study {
namespace {

constexpr std::string_view table_mark = "# table ";
constexpr std::string_view key_column = "outcome";
// Lists the keys of all outcomes: some have no rows anywhere.
constexpr std::string_view list_of_outcomes = "outcomes";
constexpr std::string_view notes_table = "notes";
constexpr std::string_view obstacle_word = "obstacle";  // beside the kinds of notes
constexpr auto longest_unwritten = std::chrono::seconds(5);

// A table's words have no tab and no line end; file names in messages may.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

// Its tables, and one of notes where there are any.
std::vector<NamedTable> tables_of(const Outcome& outcome) {
  std::vector<NamedTable> tables = outcome.tables;
  ResultTable notes{.columns = {"kind", "subject", "text"}, .rows = {}};
  for (const auto& [subject, kind, text] : outcome.notes) {
    const std::string word(data::note_kind_names[static_cast<std::size_t>(kind)]);
    notes.rows.push_back({word, subject.empty() ? TableValue() : TableValue(subject), one_line(text)});
  }
  if (!outcome.left_out.empty()) {
    notes.rows.push_back({std::string(obstacle_word), TableValue(), one_line(outcome.left_out)});
  }
  if (!notes.rows.empty()) tables.push_back({std::string(notes_table), std::move(notes)});
  return tables;
}

void put_notes(const ResultTable& notes, Outcome& outcome) {
  const std::size_t kind = notes.column("kind");
  const std::size_t subject = notes.column("subject");
  const std::size_t text = notes.column("text");
  for (const auto& row : notes.rows) {
    if (data::text_of(row[kind]) == obstacle_word) {
      outcome.left_out = data::text_of(row[text]);
    } else {
      const bool of_somebody = !std::holds_alternative<std::monostate>(row[subject]);
      outcome.notes.push_back({of_somebody ? data::text_of(row[subject]) : "",
                               data::note_kind_named(data::text_of(row[kind])), data::text_of(row[text])});
    }
  }
}

// Takes a line off a text, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) throw Error(ErrorKind::bad_data, "the results end in the middle of a line");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// "key\trest", or the key alone.
std::pair<std::string_view, std::string_view> split_key(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return {line, {}};
  return {line.substr(0, tab), line.substr(tab + 1)};
}

}  // namespace

std::size_t ParticipantResults::table_of(const std::string& name_and_columns) {
  const auto known = std::ranges::find(tables_, name_and_columns);
  if (known != tables_.end()) return static_cast<std::size_t>(known - tables_.begin());
  tables_.push_back(name_and_columns);
  return tables_.size() - 1;
}

ParticipantResults::ParticipantResults(std::string_view text) {
  std::string_view name;
  std::size_t table = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with(table_mark)) {
      name = line.substr(table_mark.size());
      const auto [first, columns] = split_key(take_line(text));
      if (first != key_column) throw Error(ErrorKind::bad_data, "a table of results without keys");
      if (name != list_of_outcomes) table = table_of(std::string(name) + "\n" + std::string(columns) + "\n");
      continue;
    }
    if (name.empty()) throw Error(ErrorKind::bad_data, "results that belong to no table");
    const auto [key, row] = split_key(line);
    std::vector<Rows>& rows = outcomes_[std::string(key)];
    if (name == list_of_outcomes) continue;
    if (rows.empty() || rows.back().table != table) rows.push_back({table, {}});
    rows.back().lines.append(row).append("\n");
  }
}

std::string ParticipantResults::text() const {
  std::string text = std::string(table_mark).append(list_of_outcomes).append("\n").append(key_column).append("\n");
  for (const auto& [key, rows] : outcomes_) text.append(key).append("\n");
  std::vector<std::size_t> order(tables_.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::sort(order, {}, [&](std::size_t k) -> const std::string& { return tables_[k]; });
  for (const std::size_t k : order) {
    const std::size_t columns = tables_[k].find('\n') + 1;
    text.append(table_mark).append(tables_[k], 0, columns).append(key_column).append("\t").append(tables_[k], columns);
    for (const auto& [key, all_rows] : outcomes_) {
      for (const Rows& rows : all_rows) {
        std::string_view lines = rows.table == k ? std::string_view(rows.lines) : std::string_view();
        while (!lines.empty()) text.append(key).append("\t").append(take_line(lines)).append("\n");
      }
    }
  }
  return text;
}

std::optional<Outcome> ParticipantResults::find(const std::string& key) const {
  const auto found = outcomes_.find(key);
  if (found == outcomes_.end()) return std::nullopt;
  Outcome outcome;
  for (const Rows& rows : found->second) {
    const std::string& table = tables_[rows.table];
    const std::size_t columns = table.find('\n') + 1;
    const std::string name = table.substr(0, columns - 1);
    ResultTable parsed = io::parse_table(table.substr(columns) + rows.lines);
    if (name == notes_table) {
      put_notes(parsed, outcome);
    } else {
      outcome.tables.push_back({name, std::move(parsed)});
    }
  }
  return outcome;
}

void ParticipantResults::add(const std::string& key, const Outcome& outcome) {
  std::vector<Rows> rows;
  for (const NamedTable& one : tables_of(outcome)) {
    const std::string text = io::table_text(one.table);
    const std::size_t first_row = text.find('\n') + 1;
    rows.push_back({table_of(one.name + "\n" + text.substr(0, first_row)), text.substr(first_row)});
  }
  outcomes_[key] = std::move(rows);
}

void ParticipantResults::merge(const ParticipantResults& other) {
  for (const auto& [key, all_rows] : other.outcomes_) {
    if (outcomes_.contains(key)) continue;
    std::vector<Rows> rows;
    for (const Rows& one : all_rows) rows.push_back({table_of(other.tables_[one.table]), one.lines});
    outcomes_[key] = std::move(rows);
  }
}

ResultStore::ResultStore(std::filesystem::path folder)
    : files_(std::move(folder)), due_(Clock::now() + longest_unwritten) {}

ResultStore::Kept& ResultStore::kept(const std::string& id) const {
  const auto known = kept_.find(id);
  if (known != kept_.end()) return known->second;
  Kept& result = kept_[id];
  const auto text = files_.read(name_of(id));
  result.damaged = !text && files_.has(name_of(id));
  if (text) result.results = ParticipantResults(*text);
  return result;
}

std::optional<Outcome> ResultStore::find(const std::string& id, const std::string& key) const {
  const std::scoped_lock lock(guard_);
  return kept(id).results.find(key);
}

bool ResultStore::contains(const std::string& id, const std::string& key) const {
  const std::scoped_lock lock(guard_);
  return kept(id).results.contains(key);
}

bool ResultStore::is_damaged(const std::string& id) const {
  const std::scoped_lock lock(guard_);
  return kept(id).damaged;
}

void ResultStore::add(const std::string& id, const std::string& key, const Outcome& outcome,
                      const std::string& made_from) {
  const std::scoped_lock lock(guard_);
  Kept& of_participant = kept(id);
  of_participant.results.add(key, outcome);
  of_participant.made_from = made_from;
  of_participant.changed = true;
}

void ResultStore::write(const std::string& id) {
  const std::scoped_lock one_at_a_time(writing_);
  const auto [text, made_from] = [&] {
    const std::scoped_lock lock(guard_);
    Kept& of_participant = kept(id);
    // Another process may have been at work on the same participant.
    if (const auto there = files_.read(name_of(id))) of_participant.results.merge(ParticipantResults(*there));
    of_participant.changed = false;
    return std::pair(of_participant.results.text(), of_participant.made_from);
  }();
  files_.write(name_of(id), text, made_from);
}

void ResultStore::write_all() {
  std::vector<std::string> changed;
  {
    const std::scoped_lock lock(guard_);
    for (const auto& [id, of_participant] : kept_) {
      if (of_participant.changed) changed.push_back(id);
    }
  }
  for (const std::string& id : changed) write(id);
}

void ResultStore::write_if_due() {
  const auto began = Clock::now();
  {
    const std::scoped_lock lock(guard_);
    if (began < due_) return;
    due_ = Clock::time_point::max();  // nobody else
  }
  write_all();
  // Where writing is slow it is done less often, so that it takes a twentieth of the time at most.
  const auto ended = Clock::now();
  const std::scoped_lock lock(guard_);
  due_ = ended + std::max<Clock::duration>(longest_unwritten, 20 * (ended - began));
}

}  // namespace heed::study
