// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/bids/events_file.h>
#include <io/bids/problems.h>
#include <io/score_tables/window_table.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace heed::io {
namespace {

constexpr std::string_view stimulus_type = "stimulus";
constexpr std::string_view attend_type = "attend";
constexpr double longest_time = 1e7;  // s; 115 days, and small enough for every sum and sample count made of it
constexpr double most_channels = 1024;

struct Columns {
  explicit Columns(const TsvReader& reader)
      : onset(needed_column(reader, "onset")),
        duration(needed_column(reader, "duration")),
        trial_type(needed_column(reader, "trial_type")),
        speaker(needed_column(reader, "speaker")),
        stim_file(needed_column(reader, "stim_file")),
        stim_onset(reader.find("stim_onset")),
        stim_channel(reader.find("stim_channel")),
        trial(reader.find("trial")) {}

  std::size_t onset;
  std::size_t duration;
  std::size_t trial_type;
  std::size_t speaker;
  std::size_t stim_file;
  std::optional<std::size_t> stim_onset;
  std::optional<std::size_t> stim_channel;
  std::optional<std::size_t> trial;
};

Seconds time_of(const TsvReader& reader, std::size_t column) {
  const auto seconds = reader.number(column);
  if (!seconds) throw reader.error(column, "a stimulus or attend row needs a time; write seconds");
  if (std::abs(*seconds) > longest_time) throw reader.error(column, "is greater than 10000000 s; write seconds");
  return {*seconds};
}

Seconds duration_of(const TsvReader& reader, std::size_t column) {
  const Seconds duration = time_of(reader, column);
  if (!(duration.value > 0)) throw reader.error(column, "lasts 0 s or less; write how many seconds it lasts");
  return duration;
}

// A speaker becomes a column of a score file.
std::string speaker_of(const TsvReader& reader, std::size_t column) {
  std::string name = name_cell(reader, column);
  if (name.empty()) throw reader.error(column, "a stimulus or attend row needs its speaker; write the name");
  if (!reserved_like(name).empty()) {
    throw reader.error(column, in_quotes(name) + " is a column of score files; give the speaker another name");
  }
  return name;
}

// Below stimuli/ and nowhere else: a dataset may come from a stranger.
std::string stimulus_file_of(const TsvReader& reader, std::size_t column) {
  std::string name = name_cell(reader, column);
  if (name.empty()) throw reader.error(column, "a stimulus row needs its file; write its path below stimuli/");
  const std::filesystem::path path(name);
  const bool leaves = path.is_absolute() || std::ranges::find(path, "..") != path.end() || name.ends_with('/');
  if (leaves) throw reader.error(column, in_quotes(name) + " is not a file below stimuli/; write its path from there");
  return name;
}

Seconds file_onset_of(const TsvReader& reader, std::optional<std::size_t> column) {
  if (optional_cell(reader, column).empty()) return {0};
  const Seconds onset = time_of(reader, *column);
  if (onset.value < 0) throw reader.error(*column, "begins before the file does; write at least 0");
  return onset;
}

std::optional<int> channel_of(const TsvReader& reader, std::optional<std::size_t> column) {
  if (optional_cell(reader, column).empty()) return std::nullopt;
  const double channel = *reader.number(*column);
  if (channel < 0 || channel > most_channels || channel != std::floor(channel)) {
    throw reader.error(*column,
                       in_quotes(reader.cell(*column)) +
                           " is not a channel; write 0 for the first, 1 for the second ..., or n/a for their mean");
  }
  return static_cast<int>(channel);
}

std::string trial_of(const TsvReader& reader, std::optional<std::size_t> column) {
  if (!column) return {};
  std::string name = name_cell(reader, column);
  if (name.empty())
    throw reader.error(*column, "every stimulus and attend row needs its trial; or leave the column out");
  return name;
}

void add_row(const TsvReader& reader, const Columns& columns, ListeningEvents& events) {
  const std::string_view type = reader.cell(columns.trial_type);
  if (type == stimulus_type) {
    events.stimuli.push_back({speaker_of(reader, columns.speaker), time_of(reader, columns.onset),
                              duration_of(reader, columns.duration), stimulus_file_of(reader, columns.stim_file),
                              file_onset_of(reader, columns.stim_onset), channel_of(reader, columns.stim_channel),
                              trial_of(reader, columns.trial), reader.row()});
    return;
  }
  if (type == attend_type) {
    events.attention.push_back({speaker_of(reader, columns.speaker), time_of(reader, columns.onset),
                                duration_of(reader, columns.duration), trial_of(reader, columns.trial), reader.row()});
    return;
  }
  const auto same_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  for (const std::string_view known : {stimulus_type, attend_type}) {
    if (!std::ranges::equal(type, known, same_letter)) continue;
    throw reader.error(columns.trial_type, in_quotes(type) + " has capital letters; write " + std::string(known));
  }
}

class EventsWriter {
 public:
  explicit EventsWriter(const ListeningEvents& events)
      : parts_(std::ranges::any_of(events.stimuli, [](const auto& piece) { return piece.file_onset.value != 0; })),
        channels_(std::ranges::any_of(events.stimuli, [](const auto& piece) { return piece.channel.has_value(); })),
        trials_(std::ranges::any_of(events.stimuli, [](const auto& piece) { return !piece.trial.empty(); }) ||
                std::ranges::any_of(events.attention, [](const auto& stretch) { return !stretch.trial.empty(); })) {
    text_ = "onset\tduration\ttrial_type\tspeaker\tstim_file";
    if (parts_) text_ += "\tstim_onset";
    if (channels_) text_ += "\tstim_channel";
    if (trials_) text_ += "\ttrial";
    text_ += '\n';
  }

  void add(const StimulusPiece& piece) {
    begin(piece.onset, piece.duration, stimulus_type, piece.speaker);
    check_writable(piece.file, "a stimulus");
    text_ += piece.file;
    if (parts_) append_time(piece.file_onset);
    if (channels_) text_ += "\t" + (piece.channel ? std::to_string(*piece.channel) : std::string(missing_cell));
    end(piece.trial);
  }

  void add(const AttentionStretch& stretch) {
    begin(stretch.onset, stretch.duration, attend_type, stretch.speaker);
    text_ += missing_cell;
    if (parts_) (text_ += '\t') += missing_cell;
    if (channels_) (text_ += '\t') += missing_cell;
    end(stretch.trial);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void begin(Seconds onset, Seconds duration, std::string_view type, std::string_view speaker) {
    if (!(duration.value > 0))
      throw Error(ErrorKind::invalid_argument, "cannot write the table: an event lasts no time");
    check_writable(speaker, "a speaker");
    append_exact_number(text_, checked(onset));
    append_time(duration);
    text_.append("\t").append(type).append("\t").append(speaker).append("\t");
  }

  void append_time(Seconds time) { append_exact_number(text_ += '\t', checked(time)); }

  void end(std::string_view trial) {
    if (trials_) {
      check_writable(trial, "a trial");
      (text_ += '\t') += trial;
    }
    text_ += '\n';
  }

  static double checked(Seconds time) {
    if (std::abs(time.value) <= longest_time) return time.value;
    throw Error(ErrorKind::invalid_argument, "cannot write the table: a time is beyond 10000000 s");
  }

  bool parts_;
  bool channels_;
  bool trials_;
  std::string text_;
};

}  // namespace

CheckedEvents check_events(std::string_view text) {
  CheckedEvents result;
  check_table(text, result.problems, [&](TsvReader& reader) {
    const Columns columns(reader);
    check_rows(reader, result.problems, [&](const TsvReader& row) { add_row(row, columns, result.events); });
  });
  return result;
}

ListeningEvents parse_events(std::string_view text) {
  CheckedEvents result = check_events(text);
  throw_first_error(result.problems);
  return std::move(result.events);
}

ListeningEvents read_events(const std::filesystem::path& path) { return parse_file(path, parse_events); }

// Both lists keep their order, which names the order of speakers; attention comes where its time is.
std::string events_text(const ListeningEvents& events) {
  EventsWriter writer(events);
  auto next = events.attention.begin();
  for (const StimulusPiece& piece : events.stimuli) {
    while (next != events.attention.end() && next->onset < piece.onset) writer.add(*next++);
    writer.add(piece);
  }
  while (next != events.attention.end()) writer.add(*next++);
  return writer.take();
}

std::string events_sidecar_text() {
  using Json = nlohmann::ordered_json;
  const auto column = [](const char* text) { return Json{{"Description", text}}; };
  const auto time = [](const char* text) { return Json{{"Description", text}, {"Units", "s"}}; };
  Json json;
  json["onset"] = time("Start of the event, from the first sample of the EEG");
  json["duration"] = time("How long it lasts");
  json["trial_type"] = column("What the row describes");
  json["trial_type"]["Levels"] = {{"stimulus", "A piece of sound from a speaker"},
                                  {"attend", "A stretch of time in which the listener attends to a speaker"}};
  json["speaker"] = column("Who or where the sound comes from; pieces of one speaker are added");
  json["stim_file"] = column("Audio file or envelope table of the piece, below stimuli/");
  json["stim_onset"] = time("Where in the stimulus file the piece begins; 0 where it is not given");
  json["stim_channel"] = column("Channel of the audio file, the first is 0; n/a: the mean of all");
  json["trial"] = column("Name of the trial; without it a run is one trial");
  return json.dump(2) + "\n";
}

}  // namespace heed::io
