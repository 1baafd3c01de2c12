// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>
#include <data/text.h>
#include <dsp/prepare.h>
#include <heed/data/error.h>
#include <io/prepared_file.h>
#include <io/tsv.h>
#include <pipeline/preparation/preparation.h>
#include <pipeline/preparation/run_cache.h>
#include <pipeline/preparation/run_signals.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace heed::pipeline {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> eeg_names(const RunPlan& plan) {
  std::vector<std::string> names;
  for (const io::EegChannel& channel : plan.eeg) names.push_back(channel.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Those of the first run that all have.
ChosenChannels common_channels(const std::string& id, const std::vector<RunPlan>& plans, heed::Notes& notes) {
  ChosenChannels chosen{eeg_names(plans.front()), {}};
  std::vector<std::string> lost;
  for (const RunPlan& plan : plans) {
    const auto names = eeg_names(plan);
    for (const std::string& name : chosen.all) {
      if (!contains(names, name) && !contains(lost, name)) lost.push_back(name);
    }
  }
  std::erase_if(chosen.all, [&](const std::string& name) { return contains(lost, name); });
  if (!lost.empty()) notes.push_back({id, NoteKind::left_out, "not in every run, left out: " + listed(lost)});
  if (chosen.all.empty()) {
    throw Error(ErrorKind::bad_data, "the runs have no EEG channel in common; do their channels have the same names?");
  }
  return chosen;
}

// Trials with the speakers in the order of the first run.
void align_speakers(PreparedRun& run, const std::vector<std::string>& speakers) {
  if (run.speakers == speakers) return;
  std::vector<std::size_t> place;
  for (const std::string& name : speakers) {
    const auto found = std::ranges::find(run.speakers, name);
    if (found == run.speakers.end() || run.speakers.size() != speakers.size()) {
      throw Error(ErrorKind::bad_data, run.name + ": its speakers are " + listed(run.speakers) +
                                           ", those of the first run " + listed(speakers) +
                                           "; use the same names in all runs, or work on the runs one by one");
    }
    place.push_back(static_cast<std::size_t>(found - run.speakers.begin()));
  }
  for (PreparedTrial& trial : run.trials) {
    std::vector<SampleMatrix> stimuli;
    for (const std::size_t from : place) stimuli.push_back(std::move(trial.stimuli[from]));
    trial.stimuli = std::move(stimuli);
    for (AttendedRange& range : trial.attention) {
      const auto to = std::ranges::find(place, static_cast<std::size_t>(range.speaker));
      range.speaker = static_cast<Speaker>(to - place.begin());
    }
  }
  run.speakers = speakers;
}

}  // namespace

struct Preparation::State {
  const io::BidsDataset& dataset;
  PreparationOptions options;
  RunCache cache;
  SoundFiles sounds{dataset};
  SpeakerTracks tracks{sounds, options.preprocessing};

  void pause() const {
    if (options.interrupt) options.interrupt();
  }

  void find_bad(std::span<const io::BidsRun> runs, const std::vector<RunPlan>& plans, ChosenChannels& chosen,
                PreparedParticipant& participant) {
    const auto add = [&](const std::string& name, const std::string& why) {
      if (!contains(chosen.all, name) || contains(chosen.bad, name)) return;
      chosen.bad.push_back(name);
      const bool gone = options.preprocessing.bad_channels == BadChannels::exclude;
      participant.notes.push_back(
          {participant.id, NoteKind::left_out,
           "channel " + name + " is bad (" + why + "): " + (gone ? "left out" : "interpolated")});
    };
    for (std::size_t r = 0; r < runs.size(); ++r) {
      pause();
      for (const io::EegChannel& channel : plans[r].eeg) {
        if (!channel.good) add(channel.name, "channels.tsv of " + runs[r].name);
      }
      for (const FoundBad& bad : cache.bad_channels(runs[r], plans[r]))
        add(bad.channel, bad.reason + " in " + runs[r].name);
    }
  }
};

Preparation::Preparation(const io::BidsDataset& dataset, PreparationOptions options) {
  dsp::check_preprocessing(options.preprocessing);
  RunCache cache(dataset, options.cache);
  // NOLINTNEXTLINE(modernize-make-unique): its members refer to each other, so that it cannot be moved
  state_.reset(new State{dataset, std::move(options), std::move(cache)});
}
Preparation::~Preparation() = default;
Preparation::Preparation(Preparation&&) noexcept = default;
Preparation& Preparation::operator=(Preparation&&) noexcept = default;

PreparedParticipant Preparation::prepare(const std::string& id, std::span<const io::BidsRun> runs) const {
  PreparedParticipant result{.id = id};
  if (runs.empty()) throw Error(ErrorKind::not_found, "sub-" + id + " has no run that was asked for");
  std::vector<RunPlan> plans;
  for (const io::BidsRun& run : runs) plans.push_back(plan_run(state_->dataset, run));
  ChosenChannels channels = common_channels(id, plans, result.notes);
  state_->find_bad(runs, plans, channels, result);
  if (channels.bad.size() == channels.all.size()) {
    throw Error(ErrorKind::bad_data,
                "sub-" + id + ": every EEG channel is bad, so there is nothing to decode; the last " +
                    "of them: " + result.notes.back().text + ". Leave the run out, or correct its " + "channels.tsv");
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    state_->pause();
    const Preprocessing& preprocessing = state_->options.preprocessing;
    result.runs.push_back(state_->cache.run({runs[r], plans[r], channels, preprocessing}, state_->tracks));
    align_speakers(result.runs.back(), result.runs.front().speakers);
    for (const std::string& note : result.runs.back().notes) {
      result.notes.push_back({runs[r].name, NoteKind::doubtful, note});
    }
  }
  return result;
}

std::string Preparation::digest_of(std::span<const io::BidsRun> runs) const {
  io::Digest digest;
  for (const io::BidsRun& run : runs) digest.add(run.name).add(state_->cache.content_digest(run));
  return digest.hex();
}

std::vector<TrialSource> Preparation::sources_of(std::span<const io::BidsRun> runs) const {
  std::vector<TrialSource> sources;
  for (const io::BidsRun& run : runs) {
    for (TrialSource& one : state_->cache.sources(run)) sources.push_back(std::move(one));
  }
  return sources;
}

const std::optional<std::filesystem::path>& Preparation::cache() const noexcept { return state_->cache.folder(); }

heed::Notes OpenFolder::notes() const {
  heed::Notes notes;
  const std::string left_out = request_.selection.tasks.empty() ? io::words_of_other_tasks(dataset_) : "";
  if (!left_out.empty()) notes.push_back({"", NoteKind::left_out, left_out});
  if (request_.cache && !preparation_.cache()) {
    notes.push_back(
        {"", NoteKind::chosen,
         request_.cache->string() + " cannot be created, so nothing is kept for the next run; choose a cache folder"});
  }
  return notes;
}

OpenFolder::OpenFolder(FolderRequest request, const Preprocessing& preprocessing)
    : request_(std::move(request)),
      dataset_(io::read_dataset(request_.dataset)),
      participants_(io::select_runs(dataset_, request_.selection)),
      preparation_(dataset_, {preprocessing, request_.cache, request_.interrupt}) {}

std::vector<TrialSource> OpenFolder::sources_of(const std::string& id) const {
  std::vector<io::BidsRun> runs;
  for (const io::ParticipantRuns& one : io::select_runs(dataset_, {})) {
    if (one.id != id) continue;
    std::ranges::copy_if(one.runs, std::back_inserter(runs),
                         [](const io::BidsRun& run) { return run.events.has_value(); });
  }
  return preparation_.sources_of(runs);
}

std::vector<std::optional<Error>> OpenFolder::for_each(std::string_view stage, std::size_t pieces,
                                                       const std::function<void(std::size_t)>& work) const {
  return data::errors_of(data::in_parallel(pieces, {request_.threads}, work, [&](std::size_t done) {
    if (request_.progress) request_.progress(stage, done, pieces);
  }));
}

std::optional<std::filesystem::path> default_cache() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder + "/heed";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/heed";
  return std::nullopt;
}

}  // namespace heed::pipeline
