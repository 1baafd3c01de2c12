// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/bids/dataset_scan.h>
#include <pipeline/simulated_folder.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heed::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* dataset_name = "Simulated recordings of listeners";

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::vector<std::string> channel_names(const std::vector<std::string>& names) {
  if (names.size() != 1) return names;
  int count = 0;
  const std::string& text = names.front();
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool number = failure == std::errc() && end == text.data() + text.size();
  return number ? sim::electrodes(count) : names;
}

SwitchInterval usual_interval(Seconds trial) {
  const Seconds usual = SwitchInterval{}.shortest;
  const Seconds every = trial > usual ? usual : Seconds{std::max(1.0, std::floor(trial.value / 2))};
  return {every, every};
}

std::string interval_text(const SwitchInterval& interval) {
  const std::string shortest = data::shown(interval.shortest.value);
  return interval.shortest == interval.longest ? shortest : shortest + "-" + data::shown(interval.longest.value);
}

std::string readme(const sim::RecordingCohortOptions& o) {
  const auto shown = [](double value) { return data::shown(value); };
  return "These recordings are SIMULATED. No person was recorded; every sample, sound and event was made by a program\n"
         "(heed simulate recording), and the attention in the events is the truth the EEG was made from.\n\n"
         "Participants " +
         std::to_string(o.participants) + ", trials " + std::to_string(o.trials) + " (" +
         std::to_string(o.sustained_trials) + " of them without a switch) of " + shown(o.trial.value) + " s, " +
         std::to_string(o.speakers) + " " + (o.turn_taking ? "conversations of two talkers" : "talkers") +
         ", attention switches every " + interval_text(o.interval) + " s,\n" + std::to_string(o.channels.size()) +
         " channels at " + shown(o.sampling_frequency.value) + " Hz, sounds at " + shown(o.sound_frequency.value) +
         " Hz, seed " + std::to_string(o.seed) + ". Signal " + shown(o.signal) + " (spread " + shown(o.signal_spread) +
         "), noise " + shown(o.noise) + ", gaze " + shown(o.gaze) + "; per minute:\nblinks " + shown(o.blinks) +
         ", artefacts " + shown(o.artefacts) + ", dropouts " + shown(o.dropouts) + " (mean " +
         shown(o.dropout_length.value) + " s); line noise " + shown(o.line_noise) + " uV at " +
         shown(o.line_frequency.value) +
         " Hz.\n\nA dropout is flat, at 0, in every channel, and annotated 'dropout' in the recording's own file.\n";
}

// What an earlier simulation left, and nothing else.
void clear_folder(const io::FolderLock& lock, bool replace) {
  const fs::path& folder = lock.folder();
  if (lock.is_empty()) return;
  if (!replace) {
    throw Error(ErrorKind::cannot_create, folder.string() +
                                              " is not empty; choose another folder, or force an earlier "
                                              "simulation to be replaced");
  }
  const bool interrupted = std::ranges::all_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return io::is_draft(entry) || io::FolderLock::is_passing(entry);
  });
  if (!interrupted && io::scan_dataset(folder).dataset.name != dataset_name) {
    throw Error(ErrorKind::cannot_create,
                folder.string() + " holds something other than a simulation; nothing in it is touched, choose another");
  }
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("sub-") || io::is_draft(entry) || name.starts_with("task-") ||
                      name == "stimuli" || name == "participants.tsv";
    if (ours) fs::remove_all(entry.path(), failure);
    if (failure) throw Error(ErrorKind::cannot_create, entry.path().string() + ": cannot be removed");
  }
}

// Files have no NaN: amplifiers that lose samples write zeros. A marker says where.
io::WrittenRun written_run(sim::SimulatedRun run, int trial) {
  io::WrittenRun written;
  written.entities.task = "listening";
  written.entities.run = two_digits(trial);
  written.recording = std::move(run.recording);
  written.listening = std::move(run.events);
  const double rate = written.recording.sampling_frequency.value;
  for (const SampleRange& range : run.truth.dropouts) {
    written.recording.samples.middleRows(range.first, range.count).setZero();
    written.markers.push_back({Seconds{static_cast<double>(range.first) / rate},
                               Seconds{static_cast<double>(range.count) / rate}, "dropout"});
  }
  for (const RecordedChannel& channel : written.recording.channels) {
    written.channels.push_back({channel.name, "EEG", channel.unit, channel.sampling_frequency, true});
  }
  return written;
}

class CohortWriting {
 public:
  CohortWriting(io::FolderLock folder, const sim::RecordingCohortOptions& cohort, const SimulatedFolderOptions& options)
      : cohort_(cohort),
        writer_(std::move(folder), {dataset_name, {}, "CC0", {}, {}, readme(cohort)},
                {options.format, options.replace}) {
    const std::string ending = "." + options.sounds;
    for (int trial = 1; trial <= cohort_.trials; ++trial) {
      programmes_.push_back(sim::simulate_programme(cohort_, trial));
      for (StimulusPiece& piece : programmes_.back().pieces) piece.file += ending;
      for (sim::Story& story : programmes_.back().stories) story.file += ending;
    }
  }

  void write(const Progress& progress) {
    const auto total = static_cast<std::size_t>(cohort_.participants) * static_cast<std::size_t>(cohort_.trials);
    std::size_t done = 0;
    for (int participant = 1; participant <= cohort_.participants; ++participant) {
      auto draft = writer_.begin(two_digits(participant));
      for (int trial = 1; trial <= cohort_.trials; ++trial) {
        write_run(draft, participant, trial);
        ++done;
        if (progress) progress(done, total);
      }
      writer_.commit(draft, "");
    }
  }

 private:
  void write_run(io::ParticipantDraft& draft, int participant, int trial) const {
    const sim::Programme& programme = programmes_[static_cast<std::size_t>(trial) - 1];
    for (const sim::Story& story : programme.stories) {
      if (!draft.has_sound(story.file)) draft.write_sound(story.file, sim::story_sound(story, cohort_.sound_frequency));
    }
    io::WrittenRun run = written_run(sim::simulate_run(cohort_, participant, trial, programme), trial);
    run.power_line_frequency = cohort_.line_frequency;
    draft.write(run);
  }

  const sim::RecordingCohortOptions& cohort_;  // the caller's
  io::DatasetWriter writer_;
  std::vector<sim::Programme> programmes_;
};

}  // namespace

sim::RecordingCohortOptions recording_options(const RecordingWishes& wishes) {
  if (wishes.conversations && wishes.speakers) {
    throw Error(ErrorKind::invalid_argument, "conversations and speakers: a conversation is a speaker; give one");
  }
  sim::RecordingCohortOptions options = wishes.options;
  const sim::RecordingCohortOptions usual = wishes.conversations ? sim::three_conversations() : options;
  options.turn_taking = usual.turn_taking;
  options.participants = wishes.participants.value_or(usual.participants);
  options.trials = wishes.trials.value_or(usual.trials);
  options.sustained_trials = wishes.sustained.value_or(std::min(usual.sustained_trials, options.trials));
  options.speakers = wishes.conversations.value_or(wishes.speakers.value_or(usual.speakers));
  options.interval = wishes.interval.value_or(usual_interval(options.trial));
  options.channels = channel_names(wishes.channels);
  sim::check(options);
  return options;
}

AttentionTrack attended_samples(const sim::SimulatedRun& run, const std::vector<std::string>& speakers) {
  const Index samples = run.recording.samples.rows();
  const auto sample_at = [&](Seconds time) {
    return std::clamp<Index>(std::llround(time * run.recording.sampling_frequency), 0, samples);
  };
  AttentionTrack track{std::vector<Speaker>(static_cast<std::size_t>(samples), unknown_speaker)};
  for (const AttentionStretch& stretch : run.events.attention) {
    const auto speaker = static_cast<Speaker>(std::ranges::find(speakers, stretch.speaker) - speakers.begin());
    std::fill(track.attended.begin() + sample_at(stretch.onset),
              track.attended.begin() + sample_at(stretch.onset + stretch.duration), speaker);
  }
  return track;
}

void write_simulated_folder(const fs::path& folder, const sim::RecordingCohortOptions& cohort,
                            const SimulatedFolderOptions& options, const Progress& progress) {
  (void)sim::simulate_listener(cohort, 1);  // names of electrodes are checked before anything is written
  io::FolderLock lock(folder);
  clear_folder(lock, options.replace);
  CohortWriting(std::move(lock), cohort, options).write(progress);
}

}  // namespace heed::pipeline
