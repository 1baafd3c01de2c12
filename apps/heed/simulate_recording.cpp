// SPDX-License-Identifier: MIT
// `heed simulate recording`: listeners' EEG and what they heard, as a BIDS folder.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/bids/dataset_writer.h>
#include <heed/pipeline/switch_interval.h>
#include <heed/sim/recording_run.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "model_options.h"
#include "simulate.h"
#include "terminal.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* examples = R"(Examples:
  heed simulate recording -o sim                                   13 listeners, 4 x 10 min, 64 channels, two talkers
  heed simulate recording --participants 3 --trials 4 --minutes 4 --seed 7 -o sim
  heed simulate recording --conversations 3 -o talks               20 listeners, three turn-taking pairs, 6 x 10 min
  heed simulate recording --participants 2 --channels 32 --blinks 12 --artefacts 2 --dropouts 0.5 -o dirty
  heed simulate recording --participants 1 --signal 4 --format brainvision --sounds wav -o easy

Writes a BIDS folder: EEG, events and sounds, each participant whole. 'heed validate DIR' checks it.)";

constexpr const char* dataset_name = "Simulated recordings of listeners";

struct RecordingFlags {
  sim::RecordingCohortOptions options;
  std::optional<int> participants;  // what is not typed comes with --conversations, or is the default
  std::optional<int> trials;
  std::optional<int> sustained;
  std::optional<int> speakers;
  std::optional<int> conversations;
  double minutes = sim::RecordingCohortOptions{}.trial.value / 60;
  double rate = sim::RecordingCohortOptions{}.sampling_frequency.value;
  double sound_rate = sim::RecordingCohortOptions{}.sound_frequency.value;
  double dropout_length = sim::RecordingCohortOptions{}.dropout_length.value;
  double line_frequency = sim::RecordingCohortOptions{}.line_frequency.value;
  std::string switch_every;  // empty: 300, or half of a trial that is no longer than that
  std::vector<std::string> channels{"64"};
  std::string format = "bdf";
  std::string sounds = "flac";
  std::string folder;
  bool force = false;
};

std::vector<std::string> channel_names(const std::vector<std::string>& typed) {
  if (typed.size() != 1) return typed;
  int count = 0;
  const std::string& text = typed.front();
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool number = failure == std::errc() && end == text.data() + text.size();
  return number ? sim::electrodes(count) : typed;
}

std::string switch_text(const RecordingFlags& flags) {
  const double trial = flags.minutes * 60;
  if (!flags.switch_every.empty()) return flags.switch_every;
  return fmt::format("{:g}", trial > 300 ? 300 : std::max(1.0, std::floor(trial / 2)));
}

sim::RecordingCohortOptions options_of(const RecordingFlags& flags) {
  if (flags.conversations && flags.speakers) {
    throw Error(ErrorKind::invalid_argument, "--conversations and --speakers: a conversation is a speaker; give one");
  }
  sim::RecordingCohortOptions options = flags.options;
  const sim::RecordingCohortOptions usual = flags.conversations ? sim::three_conversations() : options;
  options.turn_taking = usual.turn_taking;
  options.participants = flags.participants.value_or(usual.participants);
  options.trials = flags.trials.value_or(usual.trials);
  options.sustained_trials = flags.sustained.value_or(std::min(usual.sustained_trials, options.trials));
  options.speakers = flags.conversations.value_or(flags.speakers.value_or(usual.speakers));
  options.trial = Seconds{flags.minutes * 60};
  options.interval = pipeline::parse_interval("--switch-every", switch_text(flags));
  options.channels = channel_names(flags.channels);
  options.sampling_frequency = Hertz{flags.rate};
  options.sound_frequency = Hertz{flags.sound_rate};
  options.dropout_length = Seconds{flags.dropout_length};
  options.line_frequency = Hertz{flags.line_frequency};
  sim::check(options);
  return options;
}

std::string readme(const sim::RecordingCohortOptions& o, const std::string& switch_every) {
  return fmt::format(
      "These recordings are SIMULATED. No person was recorded; every sample, sound and event was made by a program\n"
      "(heed simulate recording), and the attention in the events is the truth the EEG was made from.\n\n"
      "Participants {}, trials {} ({} of them without a switch) of {:g} s, {} {}, attention switches every {} s,\n"
      "{} channels at {:g} Hz, sounds at {:g} Hz, seed {}. Signal {:g} (spread {:g}), noise {:g}, gaze {:g}; a "
      "minute:\n"
      "blinks {:g}, artefacts {:g}, dropouts {:g} (mean {:g} s); line noise {:g} uV at {:g} Hz.\n\n"
      "A dropout is flat, at 0, in every channel, and annotated 'dropout' in the recording's own file.\n",
      o.participants, o.trials, o.sustained_trials, o.trial.value, o.speakers,
      o.turn_taking ? "conversations of two talkers" : "talkers", switch_every, o.channels.size(),
      o.sampling_frequency.value, o.sound_frequency.value, o.seed, o.signal, o.signal_spread, o.noise, o.gaze, o.blinks,
      o.artefacts, o.dropouts, o.dropout_length.value, o.line_noise, o.line_frequency.value);
}

// What an earlier simulation left, and nothing else.
void clear_folder(const fs::path& folder, bool force) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure) || fs::is_empty(folder, failure)) return;
  if (!force) {
    throw Error(ErrorKind::cannot_create,
                folder.string() + " is not empty; choose another folder, or --force to replace an earlier simulation");
  }
  const auto is_draft = [](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(".heed-sub-");
  };
  const bool interrupted = std::ranges::all_of(fs::directory_iterator(folder), is_draft);
  if (!interrupted && io::scan_dataset(folder).dataset.name != dataset_name) {
    throw Error(ErrorKind::cannot_create,
                folder.string() + " holds something else than a simulation; nothing in it is touched, choose another");
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("sub-") || name.starts_with(".heed-sub-") || name.starts_with("task-") ||
                      name == "stimuli" || name == "participants.tsv";
    if (ours) fs::remove_all(entry.path(), failure);
    if (failure) throw Error(ErrorKind::cannot_create, entry.path().string() + ": cannot be removed");
  }
}

// Files have no NaN: amplifiers that lose samples write zeros. A marker says where.
io::WrittenRun written_run(sim::SimulatedRun run, int trial) {
  io::WrittenRun written;
  written.entities.task = "listening";
  written.entities.run = fmt::format("{:02}", trial);
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
  CohortWriting(const RecordingFlags& flags, sim::RecordingCohortOptions options)
      : options_(std::move(options)),
        ending_("." + flags.sounds),
        writer_(flags.folder, {dataset_name, {}, "CC0", {}, {}, readme(options_, switch_text(flags))},
                {flags.format == "bdf" ? io::EegFormat::bdf : io::EegFormat::brainvision, flags.force}) {
    for (int trial = 1; trial <= options_.trials; ++trial) {
      programmes_.push_back(sim::simulate_programme(options_, trial));
      for (StimulusPiece& piece : programmes_.back().pieces) piece.file += ending_;
      for (sim::Story& story : programmes_.back().stories) story.file += ending_;
    }
  }

  void write() {
    ProgressBar bar("simulating");
    std::size_t done = 0;
    for (int participant = 1; participant <= options_.participants; ++participant) {
      auto draft = writer_.begin(fmt::format("{:02}", participant));
      for (int trial = 1; trial <= options_.trials; ++trial) {
        write_run(draft, participant, trial);
        bar.show(++done, static_cast<std::size_t>(options_.participants) * static_cast<std::size_t>(options_.trials));
      }
      writer_.commit(draft, "");
    }
  }

 private:
  void write_run(io::ParticipantDraft& draft, int participant, int trial) const {
    const sim::Programme& programme = programmes_[static_cast<std::size_t>(trial) - 1];
    for (const sim::Story& story : programme.stories) {
      if (!draft.has_sound(story.file))
        draft.write_sound(story.file, sim::story_sound(story, options_.sound_frequency));
    }
    io::WrittenRun run = written_run(sim::simulate_run(options_, participant, trial, programme), trial);
    run.power_line_frequency = options_.line_frequency;
    draft.write(run);
  }

  sim::RecordingCohortOptions options_;
  std::string ending_;
  io::DatasetWriter writer_;
  std::vector<sim::Programme> programmes_;
};

int run_simulate_recording(const RecordingFlags& flags) {
  const sim::RecordingCohortOptions options = options_of(flags);
  (void)sim::simulate_listener(options, 1);  // names of electrodes are checked before anything is written
  clear_folder(flags.folder, flags.force);
  CohortWriting(flags, options).write();
  fmt::print(stderr, "{}, {} of {:g} min each, {}, seed {}: written to {}\n",
             count_text(static_cast<std::size_t>(options.participants), "participant"),
             count_text(static_cast<std::size_t>(options.trials), "trial"), flags.minutes,
             count_text(static_cast<std::size_t>(options.speakers), options.turn_taking ? "conversation" : "speaker"),
             options.seed, flags.folder);
  return 0;
}

void add_cohort_options(CLI::App& verb, RecordingFlags& flags) {
  verb.add_option("-o,--output", flags.folder, "Folder to write to; made if it is not there")
      ->required()
      ->type_name("DIR");
  verb.add_option("--participants", flags.participants, "How many listeners (13; 20 with --conversations)");
  verb.add_option("--trials", flags.trials, "Trials of each listener (4; 6 with --conversations)");
  verb.add_option("--minutes", flags.minutes, "Length of a trial")->capture_default_str();
  verb.add_option("--speakers", flags.speakers, "How many talkers compete (2)");
  verb.add_option("--conversations", flags.conversations, "Instead: so many conversations of two talkers in turns");
  verb.add_option("--sustained", flags.sustained, "First trials without a switch (0; 3 with --conversations)");
  verb.add_option(
      "--switch-every", flags.switch_every,
      "Seconds between switches: 300, or at random 60-125 (default 300; half of a trial no longer than that)");
  add_seed_flag(verb, flags.options.seed, "Same seed, same files");
}

void add_signal_options(CLI::App& verb, RecordingFlags& flags) {
  sim::RecordingCohortOptions& options = flags.options;
  verb.add_option("--channels", flags.channels, "A cap of 64, 32 or 19 electrodes, or their names: Fz,Cz,T7")
      ->delimiter(',')
      ->type_name("N|NAMES")
      ->default_str("64");
  verb.add_option("--rate", flags.rate, "Samples of EEG a second")->capture_default_str();
  verb.add_option("--signal", options.signal, "Strength of responses to speech; 1 is calibrated to real decoders")
      ->capture_default_str();
  verb.add_option("--signal-spread", options.signal_spread, "Standard deviation of that over listeners")
      ->capture_default_str();
  verb.add_option("--noise", options.noise, "Strength of all other EEG")->capture_default_str();
  verb.add_option("--gaze", options.gaze, "How far activity leans to the attended side; 0: CSP finds nothing")
      ->capture_default_str();
  verb.add_option("--blinks", options.blinks, "Blinks a minute")->capture_default_str();
  verb.add_option("--artefacts", options.artefacts, "Bursts of muscle or movement a minute")->capture_default_str();
  verb.add_option("--dropouts", options.dropouts, "Stretches without EEG a minute, flat in the file")
      ->capture_default_str();
  verb.add_option("--dropout-length", flags.dropout_length, "Their mean length in seconds")->capture_default_str();
  verb.add_option("--line-noise", options.line_noise, "Amplitude of the mains in microvolt")->capture_default_str();
  verb.add_option("--line-frequency", flags.line_frequency, "Frequency of the mains")->capture_default_str();
}

void add_file_options(CLI::App& verb, RecordingFlags& flags) {
  verb.add_option("--format", flags.format, "bdf (24 bit integers) or brainvision (32 bit floats)")
      ->check(CLI::IsMember(std::vector<std::string>{"bdf", "brainvision"}))
      ->capture_default_str();
  verb.add_option("--sounds", flags.sounds, "flac or wav, 16 bit")
      ->check(CLI::IsMember(std::vector<std::string>{"flac", "wav"}))
      ->capture_default_str();
  verb.add_option("--sound-rate", flags.sound_rate, "Samples of sound a second")->capture_default_str();
  verb.add_flag("--force", flags.force, "Replace an earlier simulation in the folder");
}

}  // namespace

void add_simulate_recording(CLI::App& simulate, Chosen& chosen) {
  CLI::App* verb = simulate.add_subcommand("recording", "EEG and speech of a cohort, as a BIDS folder");
  verb->footer(examples);
  auto flags = std::make_shared<RecordingFlags>();
  add_cohort_options(*verb, *flags);
  add_signal_options(*verb, *flags);
  add_file_options(*verb, *flags);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_simulate_recording(*flags); }; });
}

}  // namespace heed::app
