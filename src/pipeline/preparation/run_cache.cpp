// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <heed/pipeline/prepare.h>
#include <io/atomic_file.h>
#include <io/bids/events_file.h>
#include <io/prepared_file.h>
#include <io/text_file.h>
#include <pipeline/preparation/run_cache.h>

#include <set>

namespace heed::pipeline {
namespace {

// A cache that cannot be written is no reason to stop.
template <typename Write>
void try_to_keep(Write&& write) {
  try {
    write();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): next time the run is prepared again
  }
}

std::vector<FoundBad> parse_bad(const std::string& text) {
  std::vector<FoundBad> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::size_t tab = text.find('\t', at);
    if (end == std::string::npos || tab == std::string::npos || tab > end) break;
    result.push_back({text.substr(at, tab - at), text.substr(tab + 1, end - tab - 1)});
    at = end + 1;
  }
  return result;
}

}  // namespace

RunCache::RunCache(const io::BidsDataset& dataset, std::optional<std::filesystem::path> folder)
    : dataset_(&dataset), folder_(std::move(folder)) {
  if (!folder_) return;
  std::error_code failure;
  std::filesystem::create_directories(*folder_, failure);
  if (failure || !std::filesystem::is_directory(*folder_)) {
    if (folder_ == default_cache()) {  // which nobody chose, and which containers without a home cannot have
      folder_.reset();
      return;
    }
    throw Error(ErrorKind::cannot_create, folder_->string() +
                                              ": cannot be created as a folder for preprocessed signals (" +
                                              (failure ? failure.message() : "a file is in its place") +
                                              "); choose another folder, or do without a cache");
  }
}

std::string RunCache::file_digest(const std::filesystem::path& path) {
  {
    const std::scoped_lock lock(*mutex_);
    if (const auto known = digests_.find(path); known != digests_.end()) return known->second;
  }
  const std::string digest = io::Digest().add_file(path).hex();
  const std::scoped_lock lock(*mutex_);
  return digests_.try_emplace(path, digest).first->second;
}

io::Digest RunCache::recording_digest(const io::BidsRun& run) {
  io::Digest digest;
  digest.add(std::to_string(prepared_version));
  for (const auto& file : io::RecordingFile::open(run.eeg).files()) digest.add(file_digest(file));
  if (run.channels) digest.add(file_digest(*run.channels));
  return digest;
}

std::vector<FoundBad> RunCache::bad_channels(const io::BidsRun& run, const RunPlan& plan) {
  if (!folder_) return find_bad_channels(run, plan);
  const auto path = *folder_ / ("bad-" + recording_digest(run).add("bad channels").hex() + ".tsv");
  constexpr std::string_view last_line = "end\tof list\n";  // a file that was cut off does not have it
  if (std::filesystem::exists(path)) {
    const std::string text = io::read_text_file(path);
    if (text.ends_with(last_line)) return parse_bad(text.substr(0, text.size() - last_line.size()));
  }
  std::vector<FoundBad> found = find_bad_channels(run, plan);
  std::string text;
  for (const FoundBad& bad : found) text += bad.channel + "\t" + bad.reason + "\n";
  try_to_keep([&] { io::write_text_file(path, text + std::string(last_line)); });
  return found;
}

void RunCache::add_stimuli(io::Digest& digest, const ListeningEvents& events) {
  std::set<std::string> files;
  for (const StimulusPiece& piece : events.stimuli) files.insert(piece.file);
  for (const std::string& file : files) {
    const auto path = dataset_->stimulus(file);
    digest.add(file_digest(path));
    auto sidecar = path;
    sidecar.replace_extension(".json");
    if (path.extension() == ".tsv" && std::filesystem::exists(sidecar)) digest.add(file_digest(sidecar));
  }
}

std::string RunCache::content_digest(const io::BidsRun& run) {
  io::Digest digest = recording_digest(run);
  if (!run.events) return digest.hex();
  digest.add(file_digest(*run.events));
  add_stimuli(digest, io::read_events(*run.events));
  return digest.hex();
}

std::vector<TrialSource> RunCache::sources(const io::BidsRun& run) {
  const RunPlan plan = plan_run(*dataset_, run);
  const std::string recording = file_digest(io::RecordingFile::open(run.eeg).files().back());
  std::vector<TrialSource> result;
  for (const io::TrialPlan& trial : plan.trials) {
    std::set<std::string> stimuli;
    for (const io::SpeakerPieces& speaker : trial.speakers) {
      for (const StimulusPiece& piece : speaker.pieces) stimuli.insert(file_digest(dataset_->stimulus(piece.file)));
    }
    result.push_back({.trial = run.name + (trial.name.empty() ? "" : "/" + trial.name),
                      .run = run.name,
                      .recording = recording,
                      .stimuli = {stimuli.begin(), stimuli.end()}});
  }
  return result;
}

std::string RunCache::key_of(const RunRequest& request) {
  io::Digest digest = recording_digest(request.run);
  io::add_value(digest, request.preprocessing);
  digest.add(request.run.name).add(io::events_text(request.plan.events));
  for (const std::string& name : request.channels.all) digest.add(name);
  digest.add("bad");
  for (const std::string& name : request.channels.bad) digest.add(name);
  add_stimuli(digest, request.plan.events);
  return digest.hex();
}

PreparedRun RunCache::run(const RunRequest& request, SpeakerTracks& tracks) {
  if (!folder_) return prepare_run(request, tracks);
  const auto path = *folder_ / ("run-" + key_of(request) + ".heed");
  if (auto kept = io::read_prepared(path)) return std::move(*kept);
  PreparedRun made = prepare_run(request, tracks);
  try_to_keep([&] { io::write_prepared(path, made); });
  return made;
}

}  // namespace heed::pipeline
