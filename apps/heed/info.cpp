// SPDX-License-Identifier: MIT
// `heed info`: what is in a file or folder, at a glance.
#include "info.h"

#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/recording_file.h>
#include <heed/io/score_tables.h>
#include <heed/io/sound_file.h>
#include <io/bids/events_file.h>
#include <io/discovery.h>
#include <io/text_file.h>
#include <io/text_pieces.h>
#include <io/tsv.h>
#include <io/xdf/xdf_file.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* info_examples = R"(Examples:
  heed info sub-01_eeg.bdf                     channels, events, duration; a thumbnail on the terminal
  heed info sub-01_eeg.vhdr --json             the same for programs
  heed info study/                             a BIDS folder: participants, runs, minutes, speakers
  heed info session.xdf                        streams of LabRecorder, their clocks, and what is damaged
  heed info talk.wav
  heed info model.json                         a decoder from 'heed train', a population from 'heed population', a model
                                               from 'heed track --save-model', or what 'heed live --save-decoder' has
                                               learnt of a listener

Reads recordings, audio, envelopes, scores, posteriors, and folders of them; decoders, populations, models and learnt
listeners.)";

struct InfoFlags {
  std::string path;
  bool json = false;
};

std::string lower_ending(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

// Tables that heed writes of posteriors have a decision in every row. What is no table is told by whoever reads it.
bool is_posterior(const fs::path& path) {
  try {
    io::TextPieces pieces(path);
    return io::TsvReader(pieces).find("decision").has_value();
  } catch (const Error&) {
    return false;
  }
}

// A sidecar makes an envelope of a table, unless the name says that it holds scores.
bool is_envelope(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.ends_with(io::scores_ending) && fs::exists(fs::path(path).replace_extension(".json"));
}

// What a folder holds, by the names of its files.
struct FolderContent {
  bool bids = false;
  bool scores = false;
  std::vector<std::string> recordings{};
  bool mat_files = false;
};

FolderContent content_of(const fs::path& folder) {
  FolderContent content{.bids = fs::exists(folder / "dataset_description.json")};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    content.bids |= io::is_recording_file(entry.path()) && entry.path().stem().string().ends_with("_eeg");
    content.scores |= name.ends_with(io::scores_ending);
    content.mat_files |= lower_ending(entry.path()) == ".mat";
    if (io::is_recording_file(entry.path())) content.recordings.push_back(name);
  }
  std::ranges::sort(content.recordings);
  return content;
}

void show_folder(const fs::path& folder, bool json) {
  const FolderContent content = content_of(folder);
  if (content.bids) return show_dataset(folder, json);
  if (content.scores) return show_scores(folder, json);
  const std::string neither = folder.string() + ": neither a BIDS folder nor a folder of scores; ";
  if (!content.recordings.empty()) {
    throw Error(ErrorKind::not_found, neither + "it holds recordings, give one of them: " +
                                          fmt::format("{}", fmt::join(content.recordings, ", ")));
  }
  throw Error(ErrorKind::not_found, neither + (content.mat_files ? "it holds MAT files, which 'heed convert' reads"
                                                                 : "give a folder that holds recordings or scores"));
}

void show_table(const fs::path& file, bool json) {
  if (is_posterior(file)) return show_posteriors(file, json);
  is_envelope(file) ? show_envelope(file, json) : show_scores(file, json);
}

int run_info(const InfoFlags& flags) {
  constexpr std::array<std::string_view, 9> sounds{".wav",  ".flac", ".ogg", ".oga", ".opus",
                                                   ".aiff", ".aif",  ".au",  ".mp3"};
  const fs::path path = flags.path;
  const std::string ending = lower_ending(path);
  if (fs::is_directory(path)) {
    show_folder(path, flags.json);
  } else if (std::ranges::find(sounds, ending) != sounds.end()) {
    show_sound(path, flags.json);
  } else if (ending == ".json") {
    show_model(path, flags.json);
  } else if (io::is_xdf_file(path)) {
    show_xdf(path, flags.json);
  } else if (ending == ".tsv") {
    show_table(path, flags.json);
  } else {
    show_recording(path, flags.json);
  }
  return exit_success;
}

// Sound and envelopes have no names for their channels but may be many.
ordered_json regular_json(const std::string& format, Hertz rate, Index samples,
                          const std::vector<std::string>& channels) {
  ordered_json json{{"format", format},
                    {"sampling_frequency", rate.value},
                    {"samples", samples},
                    {"duration", static_cast<double>(samples) / rate.value},
                    {"channels", ordered_json::array()},
                    {"events", ordered_json::array()}};
  for (const std::string& name : channels) {
    json["channels"].push_back({{"name", name}, {"unit", ""}, {"sampling_frequency", rate.value}});
  }
  return json;
}

// One participant's scores in a line.
ordered_json participant_json(const ScoredParticipant& participant) {
  Index windows = 0;
  Index missing = 0;
  std::size_t labelled = 0;
  for (const ScoredTrial& trial : participant.trials) {
    windows += trial.scores.values.rows();
    for (Index t = 0; t < trial.scores.values.rows(); ++t) missing += trial.scores.values.row(t).hasNaN() ? 1 : 0;
    labelled += static_cast<std::size_t>(
        std::ranges::count_if(trial.attention.attended, [](Speaker speaker) { return speaker != unknown_speaker; }));
  }
  const Seconds window = participant.window();
  const Seconds hop = participant.hop();
  const Seconds shared = static_cast<double>(participant.trials.size()) * (window - hop);
  ordered_json json{{"id", participant.id}, {"speakers", participant.speakers}, {"window", window.value}};
  if (hop != window) json["hop"] = hop.value;
  json["trials"] = participant.trials.size();
  json["windows"] = windows;
  json["missing"] = missing;
  json["labelled"] = labelled;
  json["duration"] = (static_cast<double>(windows) * hop + shared).value;
  return json;
}

// ---- BIDS folders ----

struct RunSummary {
  std::string name;
  std::string participant;
  Seconds duration;
  std::size_t channels = 0;
  Hertz rate;
  std::vector<std::string> speakers;
  Seconds attended;  // time with a label
};

RunSummary summarise(const io::BidsRun& run) {
  const io::RecordingFile file = io::RecordingFile::open(run.eeg);
  const RecordingHeader& header = file.header();
  RunSummary summary{
      run.name, run.entities.subject, duration_of(header), header.channels.size(), header.sampling_frequency, {}, {}};
  if (!run.events) return summary;
  const ListeningEvents events = io::read_events(*run.events);
  for (const StimulusPiece& piece : events.stimuli) {
    if (std::ranges::find(summary.speakers, piece.speaker) == summary.speakers.end())
      summary.speakers.push_back(piece.speaker);
  }
  for (const AttentionStretch& stretch : events.attention) summary.attended = summary.attended + stretch.duration;
  return summary;
}

void print_dataset_json(const io::BidsDataset& dataset, const std::vector<RunSummary>& runs, Seconds total) {
  ordered_json json{{"format", "BIDS"},
                    {"name", dataset.name},
                    {"participants", ordered_json::array()},
                    {"duration", total.value},
                    {"runs", ordered_json::array()}};
  for (const io::BidsParticipant& participant : dataset.participants) json["participants"].push_back(participant.id);
  for (const RunSummary& run : runs) {
    json["runs"].push_back({{"name", run.name},
                            {"participant", run.participant},
                            {"duration", run.duration.value},
                            {"channels", run.channels},
                            {"sampling_frequency", run.rate.value},
                            {"speakers", run.speakers},
                            {"attended", run.attended.value}});
  }
  fmt::print("{}", json_text(json));
}

// ---- files that were learnt ----

}  // namespace

std::string shown_duration(Seconds duration) {
  const auto whole = static_cast<long>(std::lround(duration.value));
  if (whole < 600) return data::shown(duration.value) + " s";
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

Seconds duration_of(const RecordingHeader& header) {
  const RecordingSegment& last = header.segments.back();
  return last.onset + Seconds{static_cast<double>(last.samples) / header.sampling_frequency.value};
}

void show_sound(const fs::path& file, bool json) {
  const io::AudioHeader header = io::read_audio_header(file);
  std::vector<std::string> channels(static_cast<std::size_t>(header.channels));
  for (std::size_t c = 0; c < channels.size(); ++c) channels[c] = std::to_string(c);
  if (json) {
    fmt::print("{}", json_text(regular_json(header.format, header.sampling_frequency, header.frames, channels)));
    return;
  }
  say("{}: {}, {}, {} samples at {} Hz, {}\n", file.filename().string(), header.format,
      shown_duration(header.duration()), header.frames, data::shown(header.sampling_frequency.value),
      count_text(channels.size(), "channel"));
}

void show_envelope(const fs::path& file, bool json) {
  const Envelope envelope = io::read_envelope(file);
  const Index samples = envelope.values.rows();
  if (json) {
    fmt::print("{}", json_text(regular_json("envelope", envelope.sampling_frequency, samples, envelope.columns)));
    return;
  }
  say("{}: envelope, {}, {} samples at {} Hz, {}: {}\n", file.filename().string(),
      shown_duration({static_cast<double>(samples) / envelope.sampling_frequency.value}), samples,
      data::shown(envelope.sampling_frequency.value), count_text(envelope.columns.size(), "column"),
      fmt::join(envelope.columns, ", "));
}

void show_posteriors(const fs::path& file, bool json) {
  const TrackedParticipant tracked = io::read_posteriors(file).participant;
  Index windows = 0;
  Index labelled = 0;
  for (const TrackedTrial& trial : tracked.trials) {
    windows += trial.posteriors.values.rows();
    labelled += std::ranges::count_if(trial.attention.attended, [](Speaker one) { return one != unknown_speaker; });
  }
  const Seconds window = tracked.trials.front().posteriors.window;
  if (json) {
    fmt::print("{}", json_text({{"format", "posteriors"},
                                {"id", tracked.id},
                                {"speakers", tracked.speakers},
                                {"trials", tracked.trials.size()},
                                {"window", window.value},
                                {"windows", windows},
                                {"labelled", labelled}}));
    return;
  }
  say("{}: posteriors of {}: {} {} in {}, {} labelled; 'heed evaluate' measures them\n", file.filename().string(),
      fmt::join(tracked.speakers, ", "), windows, data::shown_windows(window, tracked.trials.front().posteriors.hop),
      count_text(tracked.trials.size(), "trial"), labelled);
}

void show_scores(const fs::path& file, bool json) {
  const io::WindowedCohort cohort = io::read_scores_by_window(std::array{file});
  ordered_json all{{"format", "scores"}, {"participants", ordered_json::array()}, {"notes", cohort.warnings}};
  for (const io::WindowedScores& participant : cohort.participants) {
    for (const ScoredParticipant& scores : participant.lengths) all["participants"].push_back(participant_json(scores));
  }
  if (json) {
    fmt::print("{}", json_text(all));
    return;
  }
  TextTable table({"participant", "speakers", "trials", "window s", "windows", "missing", "labelled", "duration"});
  for (const ordered_json& one : all["participants"]) {
    table.add({one["id"].get<std::string>(),
               fmt::format("{}", fmt::join(one["speakers"].get<std::vector<std::string>>(), ", ")),
               std::to_string(one["trials"].get<long>()),
               data::shown(one["window"].get<double>()) +
                   (one.contains("hop") ? " every " + data::shown(one["hop"].get<double>()) : ""),
               std::to_string(one["windows"].get<long>()), std::to_string(one["missing"].get<long>()),
               std::to_string(one["labelled"].get<long>()), shown_duration({one["duration"].get<double>()})});
  }
  say("{}: scores of {}\n\n{}", file.string(), count_text(cohort.participants.size(), "participant"), table.text());
  for (const std::string& warning : cohort.warnings) say("note: {}\n", warning);
}

void show_dataset(const std::filesystem::path& folder, bool json) {
  const io::BidsDataset dataset = io::read_dataset(folder);
  std::vector<RunSummary> runs;
  Seconds total;
  ProgressBar progress("reading headers");
  for (const io::ParticipantRuns& participant : io::select_runs(dataset, {})) {
    for (const io::BidsRun& run : participant.runs) {
      runs.push_back(summarise(run));
      total = total + runs.back().duration;
      progress.show(runs.size(), dataset.runs.size());
    }
  }
  if (json) {
    print_dataset_json(dataset, runs, total);
    return;
  }
  say("{}: BIDS, {}, {}, {}\n\n", dataset.name, count_text(dataset.participants.size(), "participant"),
      count_text(runs.size(), "run"), shown_duration(total));
  TextTable table({"run", "duration", "channels", "Hz", "labelled", "speakers"});
  for (const RunSummary& run : runs) {
    table.add({run.name, shown_duration(run.duration), std::to_string(run.channels), data::shown(run.rate.value),
               shown_duration(run.attended),
               run.speakers.empty() ? "n/a" : fmt::format("{}", fmt::join(run.speakers, ", "))});
  }
  say("{}", table.text());
  if (const std::string others = io::words_of_other_tasks(dataset); !others.empty()) say("note: {}\n", others);
}

void add_info(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("info", "Show what a recording, sound, score file or folder contains");
  verb->footer(info_examples);
  auto flags = std::make_shared<InfoFlags>();
  verb->add_option("path", flags->path,
                   "A recording (" + io::recording_endings() +
                       "; .xdf of LabRecorder), a sound, a file that heed writes, or a folder")
      ->required()
      ->type_name("PATH");
  verb->add_flag("--json", flags->json, "Print it as JSON");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_info(*flags); }; });
}

}  // namespace heed::app
