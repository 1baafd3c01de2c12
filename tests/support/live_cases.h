// SPDX-License-Identifier: MIT
// What tests of live sessions share: a simulated listener in a folder, decoders of it, and the offline answer.
#pragma once

#include <heed/data/model.h>
#include <heed/io/score_tables.h>
#include <heed/live/session.h>
#include <heed/pipeline/score.h>
#include <heed/pipeline/track.h>
#include <heed/pipeline/train.h>
#include <live/run.h>
#include <live/sinks/open_sink.h>
#include <live/sources/open_source.h>
#include <live/sources/stored_run.h>
#include <pipeline/simulated_folder.h>

#include "support/io_temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace heed::test {

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Two runs of a listener, with switches and dropouts.
class LiveFolder {
 public:
  explicit LiveFolder(const sim::RecordingCohortOptions& options = usual()) {
    pipeline::write_simulated_folder(dataset(), options, {.format = io::EegFormat::brainvision, .sounds = "wav"});
  }
  static sim::RecordingCohortOptions usual() {
    sim::RecordingCohortOptions options;
    options.participants = 1;
    options.trials = 2;
    options.trial = {50};
    options.interval = {{20}, {20}};
    options.channels = {"Fz", "Cz", "Pz", "C3", "C4", "T7", "T8", "Oz"};
    options.sound_frequency = {8000};
    options.dropouts = 12;
    options.dropout_length = {0.5};
    options.signal = 8;
    return options;
  }
  [[nodiscard]] std::filesystem::path dataset() const { return folder_.path() / "set"; }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

  [[nodiscard]] pipeline::FolderRequest request(const std::string& run) const {
    pipeline::FolderRequest request{.dataset = dataset(), .cache = std::nullopt, .threads = 1};
    request.selection.runs = {run};
    return request;
  }
  [[nodiscard]] Decoder trained(pipeline::DecoderRequest decoder) const {
    decoder.filters = FilterMode::causal;
    pipeline::TrainRequest request{.folder = this->request("02"), .decoder = decoder};
    request.population.none = true;
    return pipeline::train(request).trained.decoder;
  }

 private:
  TemporaryFolder folder_;
};

// The usual one, made once per process: tests read it, and write files of other names beside it.
inline const LiveFolder& usual_live_folder() {
  static const LiveFolder one;
  return one;
}

// The posterior table of run 01 offline, and the model it was made with.
struct OfflineAnswer {
  std::string table;
  Model model;
};
inline OfflineAnswer offline(const LiveFolder& folder, const Decoder& decoder, const decode::WindowLayout& layout) {
  pipeline::ScoreRequest scoring{.folder = folder.request("01"), .model = decoder, .windows = {layout.window}};
  if (layout.hop < layout.window) scoring.hop = layout.hop;
  if (layout.steps) scoring.step = layout.window;
  const auto scored = pipeline::score(scoring);
  pipeline::TrackRequest request{.participant = scored.participants.front().scores.front()};
  for (ScoredTrial& trial : request.participant.trials) trial.name.clear();
  request.emission.fit = pipeline::EmissionFit::labels;
  const auto tracked = pipeline::track_attention(request);
  const auto path = folder.file("offline.tsv");
  io::write_posteriors(path, tracked.tracked, {.method = "causal"});
  return {bytes_of(path), tracked.fitted.model};
}

inline live::SourceRequest replay_of(const LiveFolder& folder, const Decoder& decoder,
                                     const decode::WindowLayout& window) {
  live::SourceRequest request{
      .address = live::parse_address("replay:" + folder.dataset().string(), live::EndKind::source),
      .decoder = decoder,
      .window = window};
  request.selection.runs = {"01"};
  return request;
}

// The table that a session writes of a source.
inline std::string live_table(live::Source& source, live::Session& session, const std::filesystem::path& path) {
  live::SinkList sinks;
  sinks.add(live::open_sink({.address = live::parse_address("tsv:" + path.string(), live::EndKind::sink),
                             .stream = session.description(),
                             .window = session.window(),
                             .hop = session.hop()}));
  live::VirtualClock clock;
  (void)live::run(source, session, sinks, clock, {.speed = std::nullopt});
  return bytes_of(path);
}

}  // namespace heed::test
