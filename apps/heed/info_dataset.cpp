// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <fmt/format.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/recording_file.h>
#include <io/bids/events_file.h>

#include <algorithm>
#include <optional>

#include "info.h"
#include "json_value.h"
#include "terminal.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

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

void print_json(const io::BidsDataset& dataset, const std::vector<RunSummary>& runs, Seconds total) {
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

}  // namespace

void show_dataset(const std::filesystem::path& folder, bool json) {
  const io::BidsDataset dataset = io::read_dataset(folder);
  std::vector<RunSummary> runs;
  Seconds total;
  ProgressBar progress("reading headers");
  for (const io::BidsRun& run : dataset.runs) {
    runs.push_back(summarise(run));
    total = total + runs.back().duration;
    progress.show(runs.size(), dataset.runs.size());
  }
  if (json) {
    print_json(dataset, runs, total);
    return;
  }
  fmt::print("{}: BIDS, {}, {}, {}\n\n", dataset.name, count_text(dataset.participants.size(), "participant"),
             count_text(runs.size(), "run"), shown_duration(total));
  TextTable table({"run", "duration", "channels", "Hz", "labelled", "speakers"});
  for (const RunSummary& run : runs) {
    table.add({run.name, shown_duration(run.duration), std::to_string(run.channels), data::shown(run.rate.value),
               shown_duration(run.attended),
               run.speakers.empty() ? "n/a" : fmt::format("{}", fmt::join(run.speakers, ", "))});
  }
  fmt::print("{}", table.text());
}

}  // namespace heed::app
